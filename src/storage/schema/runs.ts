import type { Generated } from 'kysely'
import type { FailureCode, PauseCode } from '../../contract/runs/failure-codes.ts'
import type { RunStatus, SampleStatus } from '../../contract/runs/run.machine.ts'
import type { JsonText, StatusColumn } from './column.ts'

export interface RunsTable {
  /** By `nextNumber`. */
  no: number
  id: string
  workspace_id: string
  quote_id: string
  /** The Idempotency-Key it was submitted with; with the quote it names the run permanently. */
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
  /** The run whose samples this one retries. */
  part_of: number | null
  /** Every sample without a score, or the ones that a person chose. */
  part_asks: 'failed' | 'chosen' | null
  /** Result version of that run that took this one's outcomes in. */
  merged_version: number | null
  /** Calls at a time, where it was changed after the quote. */
  concurrency: number | null
  /** Milliseconds for which it has been executed. */
  running_ms: Generated<number>
  /** Samples answered from the cache. */
  cached: Generated<number>
  /** What the connection's provider has billed by its stated rates. */
  billed_microusd: Generated<number>
  max_billed_microusd: number | null
  /** What the connection's provider can still bill at most, set aside under the key's ceiling until the run ends. */
  provider_held_microusd: Generated<number>
  /** What calls with an unknown bill may cost at most, beside what is known. */
  uncertain_microusd: Generated<number>
  archived_at: string | null
  /** Since when it is a baseline that is offered first. */
  pinned_at: string | null
  /** It is no longer visible; its rows go a few at a time. */
  deleted_at: string | null
  /** The contract's FrozenProfile list, with the metrics that it was graded by since; null: those of the quote. */
  regraded_profiles: JsonText | null
  /** The contract's SandboxRecord list; null: no model-written code was run. */
  sandboxes: JsonText | null
  /** Why executing it waits for a person; null when it does not. */
  pause_code: PauseCode | null
  pause_message: string | null
  paused_at: string | null
  /** `importing` while answers are stored: the run is hidden, and removed at the next start if it never finished. */
  answers: Generated<'model' | 'importing' | 'imported'>
  /** SHA-256 over the imported files. */
  answers_digest: string | null
  /** Only samples at positions below it are run, until it is raised; null: all. */
  gate: number | null
}

/** Endpoints that do not answer, by the name under which runs share them. */
export interface EndpointOutagesTable {
  endpoint: string
  /** Milliseconds since 1970. */
  since: number
  code: FailureCode
  message: string
}

/** Profiles of each run but parts: written with the run, by a trigger. */
export interface RunProfilesTable {
  run_no: number
  position: number
  workspace_id: string
  profile_id: string
  is_model: 0 | 1
  /** Equal for the same tasks of the same version. */
  tasks: string
}

/** Primary score of each profile of a run, of its latest result: written with the result, by a trigger. Parts have none. */
export interface RunScoresTable {
  run_no: number
  /** Place of the profile in the run. */
  position: number
  workspace_id: string
  profile_id: string
  /** See `lib/model-identity.ts`. */
  model: string
  /** Tasks with a score. */
  scored: number
  mean: number | null
  /** Of tasks that the model's own results chose. */
  biased: 0 | 1
  /** The metric with what it is a score of. */
  score: JsonText
}

/** Samples of a run by status: set at creation, then updated with every sample transition. */
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
  /** Milliseconds since 1970. */
  finished_at: number | null
  /** When the attempt that is open began. */
  called_at: number | null
  cached: Generated<0 | 1>
  /** The run, a part of this one, that the outcome came from; null: this one itself. */
  source_no: number | null
}

/** What a sample was until a part of its run replaced it. */
export interface SupersededSamplesTable {
  run_no: number
  position: number
  /** Last result version for which this held. */
  last_version: number
  status: SampleStatus
  attempts: number
  error_code: string | null
  error_message: string | null
  latency_ms: number | null
  input_tokens: number | null
  output_tokens: number | null
  finished_at: number | null
  cached: 0 | 1
  source_no: number | null
}

export interface AttemptsTable {
  run_no: number
  position: number
  number: number
  status: 'answered' | 'failed' | 'unknown'
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
  /** Only of the first release: one attempt's transcript by itself. */
  transcript: Uint8Array | null
  /** Where its transcript is: block, and bytes into it once decompressed. */
  block_no: number | null
  block_offset: number | null
  /** First characters of the answer. */
  output_preview: string | null
  /** The answer is an earlier one, with its times, tokens and cost. */
  cached: Generated<0 | 1>
  billed_microusd: Generated<number>
  /** The provider may have billed more than is known. */
  bill_unknown: Generated<0 | 1>
  /** Tokens of the kinds that the provider counted, by kind; null where it stated none. */
  token_parts: JsonText | null
  /** Codes of notices, separated by spaces; null: written by an earlier release. */
  notices: string | null
  /** Provider's name of the model that answered, where it is not the requested one. */
  served_model: string | null
}

/** Transcripts of attempts that were stored together; see transcript.ts. */
export interface TranscriptBlocksTable {
  no: Generated<number>
  run_no: number
  content: Uint8Array
}

/** Where the answer to a request is, by what it depends on. */
export interface CachedAnswersTable {
  key: Uint8Array
  run_no: number
  position: number
  number: number
}

/** A regrade in progress. */
export interface RegradesTable {
  run_no: number
  /** Result version that it makes. */
  version: number
  /** The contract's FrozenProfile list, with the metrics to grade by. */
  plan: JsonText
  begun_at: string
  /** It failed or was cancelled, and its scores are being removed. */
  dropped: Generated<0 | 1>
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
  /** JSON; what it adds to a figure of its run that is not a mean. */
  counts: string | null
  /** Why there is no value, in one word; null where there is one, or nothing more to say. */
  code: string | null
  /** The verdict in words; null where there is none. */
  label: string | null
}

export interface ResultsTable {
  run_no: number
  version: number
  created_at: string
  /** The contract's Results. */
  record: JsonText
}
