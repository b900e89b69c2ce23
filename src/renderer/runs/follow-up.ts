import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { pauseStatuses, runStatuses, type Status } from '../ui/values/statuses.ts'

/** Whether nothing is under way that makes a result version: the run has ended, no part is running, and it is not being regraded. */
export function isAtRest({ status, parts, regrade }: Pick<Run, 'status' | 'parts' | 'regrade'>): boolean {
  return isTerminal(runMachine, status) && regrade === null && parts.every(part => isTerminal(runMachine, part.status))
}

/** Whether samples of the run can be retried; a part has no samples of its own. */
export function canRetry(run: Pick<Run, 'status' | 'parts' | 'regrade' | 'part_of'>): boolean {
  return run.part_of === null && isAtRest(run)
}

/** Whether the page of a run offers to retry it: not where a tuning session stopped asking because it had decided. */
export function offersRetry(run: Pick<Run, 'status' | 'parts' | 'regrade' | 'part_of' | 'stop_reason' | 'progress'>): boolean {
  return canRetry(run) && withoutScore(run) > 0 && run.stop_reason?.code !== 'decided_early'
}

/** Samples that asking again could give a score. */
export function withoutScore({ progress }: Pick<Run, 'progress'>): number {
  return progress.failed + progress.missing + progress.cancelled
}

/** The state of a run for a screen reader; the version tells one retry's end from another's. */
export function describeProgress(run: Run): string {
  const { word } = presentStatus(run)
  const version = run.result_version !== null && run.result_version > 1 ? `, result version ${run.result_version}` : ''
  return `Run: ${word.toLowerCase()}${version}`
}

/** The state of a run in a word: what is under way of an ended one comes before how it ended. */
export function presentStatus({
  status,
  parts,
  regrade,
  pause,
  stop_reason: reason,
}: Pick<Run, 'status' | 'parts' | 'regrade' | 'pause' | 'stop_reason'>): Status {
  if (pause !== null && status !== 'cancelling') return pauseStatuses[pause.code]
  if (parts.some(part => !isTerminal(runMachine, part.status))) return { word: 'Retrying', tone: 'running' }
  if (regrade !== null) return { word: 'Grading again', tone: 'running' }
  if (status === 'partial' && reason?.code === 'decided_early') return { word: 'Stopped early', tone: 'neutral' }
  return runStatuses[status]
}

/** Why a run ended before all its samples were scored; null once parts have given the rest their scores. */
export function whyStopped({ status, stop_reason: reason }: Pick<Run, 'status' | 'stop_reason'>): Run['stop_reason'] {
  return status === 'complete' ? null : reason
}
