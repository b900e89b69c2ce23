import type { Generated } from 'kysely'
import type { EvaluatorDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface RemoteScorersTable {
  id: string
  workspace_id: string
  name: string
  url: string
  description: string
  status: StatusColumn<'active' | 'disabled'>
  disabled_reason: string | null
  timeout_ms: number
  max_concurrency: number
  /** JSON array. */
  header_names: JsonText
  allow_private: 0 | 1
  /** Encrypted: signing secrets, headers and the origin that they are for. */
  secret: Uint8Array
  old_secret_until: string | null
  /** The contract's RemoteScorerTest. */
  last_test: JsonText | null
  created_at: string
  updated_at: string
}

export interface EvaluatorVersionsTable {
  id: string
  workspace_id: string
  evaluator_id: string
  version: number
  previous_version_id: string | null
  name: string
  description: string
  kind: EvaluatorDefinition['kind']
  /** The contract's EvaluatorDefinition, every default written out. */
  definition: JsonText
  digest: string
  /** Levels of composites; 1 for any other. */
  depth: number
  /** Judge calls for one output. */
  model_calls: number
  sandbox: 0 | 1
  /** Lower-case text that searches look in. */
  search: string
  created_at: string
}

/** What judge calls are made for. */
export type JudgeOwnerKind = 'calibration' | 'draft' | 'occurrence' | 'regrade' | 'run' | 'search'

export interface JudgeBudgetsTable {
  owner_kind: JudgeOwnerKind
  owner_id: string
  workspace_id: string
  principal_id: string
  /** The boundaries around graded texts are made from it: random, and the same when a question is repeated. */
  fence_seed: string
  held_microusd: Generated<number>
  charged_microusd: Generated<number>
  billed_microusd: Generated<number>
  /** What providers may bill in all, while it is open; what they billed, afterwards. */
  provider_held_microusd: Generated<number>
  is_open: Generated<0 | 1>
  /** Counts how often money was set aside: a retry does it again. */
  holds: Generated<number>
}

export interface JudgeCallsTable {
  no: Generated<number>
  owner_kind: JudgeOwnerKind
  owner_id: string
  /** What is graded: an example's id, a sample's position. */
  item: string
  evaluator_version_id: string
  judge: number
  vote: number
  ask_order: 'ab' | 'ba'
  /** Empty outside of rubrics. */
  criterion: Generated<string>
  repair: 0 | 1
  attempt: number
  status: 'open' | 'answered' | 'failed' | 'unknown'
  /** Milliseconds since 1970. */
  started_at: number
  finished_at: number | null
  latency_ms: number | null
  error_code: string | null
  error_message: string | null
  http_status: number | null
  finish_reason: string | null
  input_tokens: number | null
  output_tokens: number | null
  charged_microusd: Generated<number>
  billed_microusd: Generated<number>
  verdict: string | null
  /** The reply's text. */
  output: string | null
  /** Arguments of the verdict tool. */
  structured: string | null
  /** Whether the judge thought before it replied. */
  reasoned: Generated<0 | 1>
  /** Request and response byte for byte: see transcript.ts, zstd. */
  transcript: Uint8Array | null
}

export interface RemoteCallsTable {
  /** Of the protocol; 1 for calls before November 2026. */
  revision: Generated<number>
  no: Generated<number>
  owner_kind: JudgeOwnerKind
  owner_id: string
  item: string
  remote_scorer_id: string
  request_id: string
  tries: number
  http_status: number | null
  code: string | null
  reason: string | null
  value: number | null
  started_at: number
  finished_at: number
}

export interface CalibrationsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  job_id: string
  evaluator_version_id: string
  evaluator_id: string
  dataset_version_id: string
  status: StatusColumn<'pending' | 'running' | 'resolved' | 'failed'>
  /** The contract's NewCalibration. */
  request: JsonText
  done: Generated<number>
  total: number
  /** The contract's CalibrationFigures. */
  figures: JsonText | null
  verdict: string | null
  failure_code: string | null
  failure_message: string | null
  created_at: string
  finished_at: string | null
}

export interface CalibrationItemsTable {
  calibration_no: number
  /** In the dataset version's order. */
  position: number
  example_id: string
  revision: number
  label: string | null
  by_people: 0 | 1
  value: number | null
  /** The engine's Prediction. */
  prediction: JsonText
  /** Once the calibration is resolved; null: unscored. */
  verdict: string | null
  agrees: 0 | 1 | null
  explanation: string
  pairs: number
  flips: number
  votes: JsonText
}

export interface EvaluatorDraftsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  job_id: string
  dataset_version_id: string
  status: StatusColumn<'queued' | 'running' | 'ready' | 'failed'>
  /** The contract's NewDraft. */
  request: JsonText
  done: Generated<number>
  total: number
  /** `candidates`, `rejected`, `majority`, `beats_majority` of the contract's Draft. */
  result: JsonText | null
  failure_code: string | null
  failure_message: string | null
  created_at: string
  finished_at: string | null
}

export interface RegradeQuotesTable {
  id: string
  workspace_id: string
  run_no: number
  evaluator_version_id: string
  /** The contract's RegradeQuote. */
  record: JsonText
  created_at: string
  expires_at: string
  used_at: string | null
}

export interface DatasetBenchmarksTable {
  workspace_id: string
  source_ref: string
  dataset_version_id: string
  slug: string
  title: string
  profile_id: string
  evaluator_version_id: string
  created_at: string
}
