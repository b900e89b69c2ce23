import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run, RunEvent } from '../../contract/runs/runs.schemas.ts'
import type { LiveRuns } from './live-runs.ts'

/** Watchers are told at most this often, in milliseconds. */
const shortest = 250
/** Milliseconds more for each of many: all of a run together are told so many times a second at most. */
const shortestPerWatcher = 5
/** Heartbeat interval without changes, to detect dead connections. */
const heartbeat = 10_000

/** Event of a run for all watchers, created once. */
interface Moment {
  readonly version: number
  readonly at: number
  readonly events: readonly RunEvent[]
}

export interface RunBroadcast {
  /** Follows a run to its end: the present state first, then every change, no more often than people can read. */
  follow(runNo: number, signal: AbortSignal): AsyncGenerator<RunEvent>
}

export interface RunBroadcastPorts {
  /** The run as it is now; called once for all watchers of a moment. */
  readonly read: (runNo: number) => Run
  readonly live: LiveRuns
  readonly now: () => Date
  /** Resolves after the time, or at once when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export function createRunBroadcast({ read, live, now, sleep }: RunBroadcastPorts): RunBroadcast {
  const moments = new Map<number, Moment>()
  const watchers = new Map<number, number>()

  /** What has not changed is still true until the heartbeat; what has changed is read at most every `shortest`. */
  const momentOf = (runNo: number): Moment => {
    const version = live.version(runNo)
    const at = performance.now()
    const known = moments.get(runNo)
    if (known && at - known.at < (known.version === version ? heartbeat : shortest)) return known
    const moment = { version, at, events: eventsOf(read(runNo), live.means(runNo), now()) }
    moments.set(runNo, moment)
    return moment
  }
  const watch = (runNo: number, change: 1 | -1) => {
    const count = (watchers.get(runNo) ?? 0) + change
    if (count > 0) watchers.set(runNo, count)
    else {
      watchers.delete(runNo)
      moments.delete(runNo)
    }
  }

  return {
    follow: async function* (runNo, signal) {
      watch(runNo, 1)
      try {
        for (;;) {
          const { version, events } = momentOf(runNo)
          yield* events
          if (events.at(-1)?.type === 'end') return
          const waitLimit = new AbortController()
          const either = AbortSignal.any([signal, waitLimit.signal])
          await Promise.race([live.changed(runNo, version, either), sleep(heartbeat, either)])
          waitLimit.abort()
          if (signal.aborted) return
          await sleep(Math.max(shortest, shortestPerWatcher * (watchers.get(runNo) ?? 0)), signal)
          if (signal.aborted) return
        }
      } finally {
        watch(runNo, -1)
      }
    },
  }
}

function eventsOf(run: Run, means: ReturnType<LiveRuns['means']>, now: Date): RunEvent[] {
  const { status, progress, accounting, activity, pause, result_version } = run
  return [
    { type: 'progress', status, progress, accounting, activity, pause },
    ...(means ? [{ type: 'scores' as const, profiles: means, at: now.toISOString() }] : []),
    ...(isTerminal(runMachine, status) ? [{ type: 'end' as const, status, result_version }] : []),
  ]
}
