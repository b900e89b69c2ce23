import type { Generated } from 'kysely'
import type { JsonText } from './column.ts'

export interface SettingsTable {
  name: string
  value: JsonText
}

/** One row: how many transactions were committed. Written by `storage/database.ts`. */
export interface CommitsTable {
  no: 1
  commits: number
  /** Of the last one, in milliseconds since 1970. */
  at: number
}

/** Remembered answers of creating requests: one row per principal, operation and key. */
export interface IdempotencyTable {
  principal_id: string
  operation: string
  key: string
  body_digest: string
  /** Null while the first request is still executed. */
  status: number | null
  body: string | null
  created_at: string
}

/** Every change of a state, for people who ask what happened. */
export interface TransitionsTable {
  no: Generated<number>
  resource: string
  resource_id: string
  event: string
  from_state: string
  to_state: string
  at: string
  note: string | null
}
