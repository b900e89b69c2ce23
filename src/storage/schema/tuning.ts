import type { Generated } from 'kysely'
import type { TuneSessionStatus } from '../../contract/tuning/session.machine.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface TuneSessionsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  name: string
  /** Lower-case text that searches look in. */
  search: string
  status: StatusColumn<TuneSessionStatus>
  automation: 0 | 1
  /** Current revision of the draft. */
  revision: number
  case_count: number
  /** Bytes of the current cases. */
  case_bytes: number
  /** Of the next case that is added. */
  next_position: number
  /** Who created it, and so whose wallet and key pay for what it does by itself. */
  owner_kind: 'person' | 'api_key'
  owner_id: string
  principal_id: string
  /** The contract's TuneApproval. */
  approval: JsonText | null
  /** The contract's TuneBenchmark. */
  benchmark: JsonText | null
  /** The contract's TuneConclusion of the latest group that ended. */
  conclusion: JsonText | null
  created_at: string
  updated_at: string
}

export interface TuneDraftsTable {
  session_no: number
  revision: number
  name: string
  case_count: number
  /** The contract's TuneCall. */
  call: JsonText | null
  /** The contract's TuneGrader. */
  grader: JsonText | null
  /** The contract's TuneObjective. */
  objective: JsonText
  updated_at: string
}

/** One content of a case, for the revisions from `from_revision` to before `until_revision`. */
export interface TuneCasesTable {
  session_no: number
  position: number
  from_revision: number
  /** Null: current. */
  until_revision: number | null
  id: string
  /** Canonical JSON of {input, expected, metadata}. */
  content: JsonText
  /** SHA-256 of `content`. */
  digest: Uint8Array
  cluster: string | null
  /** The contract's TuneOrigin, never written again. */
  origin: JsonText | null
  /** `{by, at}` of the edit that removed the origin. */
  edited: JsonText | null
}

export interface TuneQuotesTable {
  id: string
  session_no: number
  /** The contract's TuneQuote without its status. */
  record: JsonText
  used: 0 | 1
  created_at: string
}

export interface TuneSearchesTable {
  no: Generated<number>
  id: string
  session_no: number
  /** The quote that was started. */
  quote_id: string
  /** The Idempotency-Key that it was started with, and the run group after it. */
  operation_key: string
  status: 'running' | 'complete' | 'failed' | 'cancelled'
  /** The store's SearchState. */
  state: JsonText
  principal_id: string
  job_id: string
  created_at: string
  finished_at: string | null
}

export interface TuneGroupsTable {
  no: Generated<number>
  id: string
  session_no: number
  /** 1 for the first group of its session. */
  number: number
  quote_id: string
  /** The Idempotency-Key that it was started with. */
  operation_key: string
  status: 'running' | 'complete' | 'partial' | 'failed' | 'cancelled'
  /** Index of the look that is being run. */
  look: number
  job_id: string
  /** The contract's TuneConclusion. */
  conclusion: JsonText | null
  started_at: string
  finished_at: string | null
}

export interface TuneArmsTable {
  group_no: number
  /** 0 is the current call. */
  arm: number
  label: string
  run_id: string
  verdict: 'accepted' | 'dropped' | 'undecided' | null
  reason: string | null
  /** The contract's TuneLook list. */
  looks: JsonText
  /** What was measured as of its last look. */
  figures: JsonText | null
}
