import type { Generated } from 'kysely'
import type { RunStatus, SampleStatus } from '../../contract/index.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface RunsTable {
  no: Generated<number>
  id: string
  workspace_id: string
  quote_id: string
  /** The Idempotency-Key it was submitted with; with the quote it names the run for ever. */
  operation_key: string | null
  principal_id: string
  name: string
  status: StatusColumn<RunStatus>
  accounting_state: StatusColumn<'none' | 'held' | 'metering' | 'settled'>
  stop_code: string | null
  stop_message: string | null
  frozen: number
  retries: number
  /** Calls in flight when the service was stopped. */
  unknown_calls: number
  max_charge_microusd: number
  held_microusd: number
  charged_microusd: number
  result_version: number | null
  /** The first transcript, by which the others are compressed; null until there is one. */
  dictionary: Uint8Array | null
  /** Lower-case text that searches look in. */
  search: string
  created_at: string
  started_at: string | null
  finished_at: string | null
}

/** Samples of a run by status: set when the run is made, then kept by a trigger. */
export interface RunCountsTable {
  run_no: number
  status: SampleStatus
  n: number
}

export interface SamplesTable {
  run_no: number
  position: number
  profile_no: number
  task_no: number
  epoch: number
  status: SampleStatus
  /** Raised with each claim; a result that carries an older one is dropped. */
  fence: number
  attempts: number
  passed: 0 | 1 | null
  /** Of the primary metric. */
  value: number | null
  error_code: string | null
  error_message: string | null
  latency_ms: number | null
  input_tokens: number | null
  output_tokens: number | null
  output_preview: string | null
  /** Milliseconds since 1970. */
  finished_at: number | null
}

export interface AttemptsTable {
  run_no: number
  position: number
  number: number
  status: 'started' | 'answered' | 'failed' | 'unknown'
  /** Milliseconds since 1970. */
  started_at: number
  finished_at: number | null
  latency_ms: number | null
  error_code: string | null
  error_message: string | null
  http_status: number | null
  finish_reason: string | null
  refused: 0 | 1
  input_tokens: number | null
  output_tokens: number | null
  tokens_source: 'provider' | 'tokenizer' | null
  charged_microusd: number
  /** Request, response and output in one compressed block; see transcript.ts. */
  transcript: Uint8Array | null
}

export interface ScoresTable {
  run_no: number
  position: number
  metric_no: number
  /** First result version that it holds for. */
  version: number
  value: number | null
  class: string
  answer: string | null
  answer_start: number | null
  answer_end: number | null
  explanation: string
}

export interface ResultsTable {
  run_no: number
  version: number
  created_at: string
  /** The contract's Results. */
  record: JsonText
}
