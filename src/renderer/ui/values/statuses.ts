import type { QuoteAvailability } from '../../../contract/catalog/benchmarks.schemas.ts'
import type { ImportRecord } from '../../../contract/catalog/imports.schemas.ts'
import type { ModelRoute } from '../../../contract/catalog/models.schemas.ts'
import type { Connection } from '../../../contract/connections/connections.schemas.ts'
import type { JobState } from '../../../contract/jobs/jobs.schemas.ts'
import type { Quote } from '../../../contract/quotes/quotes.schemas.ts'
import type { PauseCode } from '../../../contract/runs/failure-codes.ts'
import type { RunStatus, SampleStatus } from '../../../contract/runs/run.machine.ts'
import type { SampleScore } from '../../../contract/runs/samples.schemas.ts'
import type { TraceIntegration } from '../../../contract/traces/integrations.schemas.ts'
import type { WorkerState } from '../../../contract/workers/workers.schemas.ts'

/** What a state asks of the reader; decides color and icon. */
export type Tone = 'pass' | 'fail' | 'warn' | 'running' | 'human' | 'neutral'

export interface Status {
  readonly word: string
  readonly tone: Tone
}

/** The status of ended work: what was cancelled has not failed, though its record says so. */
export function orCancelled(status: Status, cause: { readonly code: string } | null): Status {
  return cause?.code === 'cancelled' ? { word: 'Cancelled', tone: 'neutral' } : status
}

const is = (word: string, tone: Tone): Status => ({ word, tone })

export const runStatuses: Readonly<Record<RunStatus, Status>> = {
  queued: is('Queued', 'neutral'),
  running: is('Running', 'running'),
  cancelling: is('Cancelling', 'running'),
  complete: is('Complete', 'pass'),
  partial: is('Partial', 'warn'),
  failed: is('Failed', 'fail'),
  cancelled: is('Cancelled', 'neutral'),
}

export const jobStatuses: Readonly<Record<JobState, Status>> = {
  queued: is('Queued', 'neutral'),
  running: is('Running', 'running'),
  succeeded: is('Succeeded', 'pass'),
  failed: is('Failed', 'fail'),
  cancelled: is('Cancelled', 'neutral'),
}

export const workerStatuses: Readonly<Record<WorkerState, Status>> = {
  active: is('Active', 'pass'),
  draining: is('Draining', 'running'),
  left: is('Left', 'neutral'),
  lost: is('Lost', 'fail'),
}

export const pauseStatuses: Readonly<Record<PauseCode, Status>> = {
  endpoint_down: is('Paused: endpoint down', 'warn'),
  retry_after: is('Waiting: Retry-After', 'warn'),
  throttled: is('Waiting: backoff', 'warn'),
  internal_error: is('Paused: internal error', 'human'),
  paused: is('Paused', 'neutral'),
}

export const integrationStatuses: Readonly<Record<TraceIntegration['status'], Status>> = {
  connected: is('Connected', 'pass'),
  backfilling: is('Backfilling', 'running'),
  paused: is('Paused', 'neutral'),
  attention: is('Needs attention', 'human'),
  disconnected: is('Disconnected', 'neutral'),
}

export const sampleStatuses: Readonly<Record<SampleStatus, Status>> = {
  pending: is('Waiting', 'neutral'),
  calling: is('Calling', 'running'),
  answered: is('Grading', 'running'),
  scored: is('Scored', 'neutral'),
  // The color of the strip and the report: a failed sample is not a wrong one.
  failed: is('Failed', 'human'),
  excluded: is('Not run: excluded', 'neutral'),
  missing: is('Not run', 'neutral'),
  cancelled: is('Not run: cancelled', 'neutral'),
}

export const scoreClasses: Readonly<Record<SampleScore['class'], Status>> = {
  correct: is('Correct', 'pass'),
  wrong: is('Wrong', 'fail'),
  partial: is('Partial', 'warn'),
  unscored: is('Unscored', 'neutral'),
  provider_error: is('Provider error', 'warn'),
  too_slow: is('Too slow', 'warn'),
  refused: is('Refused', 'warn'),
}

export const checkStatuses: Readonly<Record<Quote['compatibility']['checks'][number]['status'], Status>> = {
  pass: is('Pass', 'pass'),
  warn: is('Warning', 'warn'),
  fail: is('Fail', 'fail'),
}

export const availabilities: Readonly<Record<QuoteAvailability['status'], Status>> = {
  ready_for_quote: is('Runnable now', 'pass'),
  data_required: is('Data needed', 'human'),
  runner_unavailable: is('Runner missing', 'warn'),
  checking: is('Checking', 'neutral'),
  quarantined: is('Quarantined', 'warn'),
  retired: is('Retired', 'neutral'),
}

const connectionStatuses: Readonly<Record<Connection['status'], Status>> = {
  unchecked: is('Not checked', 'human'),
  ready: is('Ready', 'pass'),
  failing: is('Failing', 'fail'),
  disabled: is('Deleted', 'neutral'),
}

/** A connection can be used although its check got no text, which a reader should know before a run. */
export function connectionStatus({ status, last_check: check }: Pick<Connection, 'status' | 'last_check'>): Status {
  return status === 'ready' && check?.empty_answer === true ? is('Ready, empty answer', 'warn') : connectionStatuses[status]
}

export const routeStatuses: Readonly<Record<ModelRoute['availability']['status'], Status>> = {
  ready: is('Ready', 'pass'),
  unavailable: is('Unavailable', 'warn'),
  runner_unavailable: is('Runtime missing', 'warn'),
}

export const importStatuses: Readonly<Record<ImportRecord['status'], Status>> = {
  validating: is('Validating', 'running'),
  previewed: is('Previewed', 'neutral'),
  imported: is('Imported', 'pass'),
  failed: is('Failed', 'fail'),
}
