import type { Activity } from './ask-samples.ts'
import type { SampleContext } from './sample-context.ts'

/** Milliseconds between two looks. */
const step = 200
/** A step that took longer was not waited for: the machine slept, or the process was stopped. */
const longestStep = 5000
const saveEvery = 5000

/**
 * Counts for how long a run is executed, over restarts and without the time in which nothing ran, it was paused or its endpoint was down, and
 * stops it at its limit. Looks also whether time alone has made room at the endpoint.
 */
export function watchTime({ plan, ports, stop, limiter }: SampleContext, activity: Activity): { end(): Promise<void> } {
  const ended = new AbortController()
  const limit = plan.execution.run_timeout_ms ?? Number.POSITIVE_INFINITY
  let ran = plan.ranMs
  let saved = ran
  /** A restart after a failure to store it counts a few seconds too few. */
  const save = async () => {
    saved = ran
    try {
      await ports.store.saveRunningTime(plan.runNo, Math.round(ran))
    } catch {
      saved = Number.NEGATIVE_INFINITY
    }
  }
  const watch = async () => {
    for (let last = ports.monotonic(); ; ) {
      await ports.sleep(step, ended.signal)
      if (ended.signal.aborted) return
      const now = ports.monotonic()
      if (!activity.paused && !limiter.circuit.isOpen()) ran += now - last > longestStep ? step : now - last
      last = now
      if (ran - saved >= saveEvery) await save()
      if (ran >= limit)
        stop({ code: 'time_limit', message: `The run reached its time limit of ${limit / 1000} s. What was not asked by then is missing.` })
      activity.wake.notify()
    }
  }
  void watch()
  return {
    end: () => {
      ended.abort('The run has ended.')
      return save()
    },
  }
}
