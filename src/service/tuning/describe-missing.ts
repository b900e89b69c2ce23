import { failureLabel } from '../../contract/runs/failure-labels.ts'
import type { RunState } from '../runs/index.ts'

/** What stopped the run of an arm, and what its calls failed with, each as a sentence after a space. */
export function describeMissing(state: Pick<RunState, 'stopCode' | 'stopReason' | 'failures'> | null): string {
  if (!state) return ' Its run was deleted.'
  const failures = state.failures().map(({ code, count }) => `${failureLabel(code)} (${count})`)
  return [
    state.stopCode === 'decided_early' ? null : state.stopReason,
    failures.length > 0 ? `Failed calls: ${failures.join(', ')}.` : null,
  ]
    .map(text => (text ? ` ${text}` : ''))
    .join('')
}
