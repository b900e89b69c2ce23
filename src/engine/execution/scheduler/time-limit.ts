import type { SchedulerPorts } from './ports.ts'

/** A signal that fires when the time is over, or when the other one does. */
export interface TimeLimit {
  readonly signal: AbortSignal
  over(): boolean
  /** No longer needed. */
  end(): void
}

const step = 1000
/** A step that took longer than this was not waited for: the machine slept, or the process was stopped. */
const longestStep = 3 * step
/** A preallocated reason avoids creating an error with its stack. */
const reason = 'The time is over.'

/**
 * Time in which the process was suspended does not count, since no answer could arrive.
 * @param ms null: no limit
 * @param isHeld while true, time does not count either
 */
export function startTimeLimit(
  ms: number | null,
  { sleep, monotonic }: Pick<SchedulerPorts, 'sleep' | 'monotonic'>,
  other: AbortSignal,
  isHeld: () => boolean = () => false,
): TimeLimit {
  if (ms === null) return { signal: other, over: () => false, end: () => undefined }
  const over = new AbortController()
  const ended = new AbortController()
  const count = async () => {
    for (let left = ms; left > 0; ) {
      const wait = Math.min(step, left)
      const began = monotonic()
      await sleep(wait, ended.signal)
      if (ended.signal.aborted) return
      if (isHeld()) continue
      const took = monotonic() - began
      left -= took > wait + longestStep ? wait : Math.max(wait, took)
    }
    over.abort(reason)
  }
  void count()
  return { signal: AbortSignal.any([other, over.signal]), over: () => over.signal.aborted, end: () => ended.abort(reason) }
}
