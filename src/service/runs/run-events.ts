import { setTimeout as delay } from 'node:timers/promises'
import { isTerminal, type Run, type RunEvent, runMachine } from '../../contract/index.ts'
import type { LiveRuns } from './live-runs.ts'

/** Watchers are told at most this often, in milliseconds. */
const shortest = 250
/** Without news a watcher is told all the same, so that a dead connection is noticed. */
const heartbeat = 10_000

/** Follows a run to its end: the present state first, then every change, no more often than people can read. */
export async function* followRun(
  runNo: number,
  read: () => Run,
  live: LiveRuns,
  now: () => Date,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  for (;;) {
    const run = read()
    yield {
      type: 'progress',
      status: run.status,
      progress: run.progress,
      accounting: run.accounting,
      activity: run.activity,
      pause: run.pause,
    }
    const profiles = live.means(runNo)
    if (profiles) yield { type: 'scores', profiles, at: now().toISOString() }
    if (isTerminal(runMachine, run.status)) {
      yield { type: 'end', status: run.status, result_version: run.result_version }
      return
    }
    const patience = new AbortController()
    const either = AbortSignal.any([signal, patience.signal])
    const quiet = delay(heartbeat, undefined, { signal: either }).catch(() => undefined)
    await Promise.race([live.changed(runNo, either), quiet])
    patience.abort()
    if (signal.aborted) return
    await delay(shortest, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
  }
}
