import type { Generated } from 'kysely'
import type { JsonText } from './column.ts'

export interface WorkspacesTable {
  id: string
  name: string
  created_at: string
  /** 1: filled by `assay demo`, and removed as a whole. */
  demo: Generated<0 | 1>
}

export interface PeopleTable {
  id: string
  name: string
  created_at: string
}

export interface MembersTable {
  workspace_id: string
  person_id: string
  role: 'owner' | 'admin' | 'member'
  created_at: string
}

/** One row: what concerns every workspace of this machine. */
export interface InstallationTable {
  id: number
  owner_id: string
  workspace_creation: Generated<'everyone' | 'owner'>
}

export interface SessionsTable {
  id: string
  person_id: string
  token_hash: string
  /** `host`: the process's own, recreated at each start; `browser`: paired. */
  kind: 'host' | 'browser'
  created_at: string
  expires_at: string
  ended_at: string | null
}

export interface PairingCodesTable {
  code_hash: string
  person_id: string
  created_at: string
  expires_at: string
  used_at: string | null
}

export interface ApiKeysTable {
  id: string
  workspace_id: string
  name: string
  token_hash: string
  /** First characters, for people to recognize it. */
  prefix: string
  scopes: JsonText
  /** Micro-USD; null: none. */
  ceiling_microusd: number | null
  /** What providers may bill for connections, in micro-USD; null: no ceiling. */
  provider_ceiling_microusd: number | null
  /** `local`: the one in service.json, which gets a new token at each start. */
  origin: Generated<'local' | 'created'>
  /** The key that was rolled into this one. */
  replaces: string | null
  /** The first of the keys rolled into one another: its ceiling holds for all of them. Null: itself. */
  meter_id: string | null
  /** Labels that an owner granted to its workers; null: any, for keys of before labels were granted. */
  worker_labels: JsonText | null
  /** Id of the person who made it, or the key that it came from; null: not known. */
  made_by: string | null
  /** When a key that was rolled stops being accepted. */
  stops_at: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
}

/** What was spent in runs that a restore of a backup took away. Micro-USD; keys have no month. */
export interface CarriedSpendingTable {
  owner_id: string
  month: string
  spent_microusd: number
  billed_microusd: number
}
