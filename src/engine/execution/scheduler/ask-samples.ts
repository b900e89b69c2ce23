import type { WakeSignal } from './wake-signal.ts'
import { runSample } from './run-sample.ts'
import type { SampleContext } from './sample-context.ts'

/** Answers that may wait for their scores before no more are asked for. */
const maxBacklog = 2048
/** Samples that may pause before another attempt at a time. */
const maxPausing = 1024

/** What of a run is under way. */
export interface Activity {
  /** Claimed and not ended. */
  active: number
  /** Of these, waiting before another attempt. */
  backingOff: number
  /** Calls at a time; null: as many as the endpoint allows. */
  concurrency: number | null
  /** Only samples at positions below it are claimed; null: all. */
  gate: number | null
  /** Whether all frozen samples have been made. */
  filled: boolean
  /** Something of the above changed, or time has passed. */
  readonly wake: WakeSignal
}

/** Claims as many samples as the endpoint has room for, again and again, until none is left or the run is halted. */
export async function askSamples(context: SampleContext, activity: Activity): Promise<void> {
  const { wake } = activity
  try {
    await claimSamples(context, activity)
  } catch (error) {
    context.crash(error)
  }
  while (activity.active > 0) await wake.notified()
}

async function claimSamples(context: SampleContext, activity: Activity): Promise<void> {
  const { plan, ports, journal, stopSignal } = context
  const { wake } = activity
  while (!stopSignal.aborted) {
    const room = roomFor(context, activity)
    if (room <= 0) {
      await wake.notified()
      continue
    }
    const isAll = activity.filled && activity.gate === null
    const samples = await journal.claim(room, activity.gate)
    if (samples.length === 0) {
      if (isAll && activity.active === 0) break
      await wake.notified()
      continue
    }
    const tasks = ports.tasks(samples.map(sample => sample.taskNo))
    for (const [i, sample] of samples.entries()) {
      const task = tasks[i]
      if (!task) throw new Error(`Task ${sample.taskNo} of run ${plan.runId} is gone.`)
      activity.active++
      runSample(context, sample, task)
        .catch(context.crash)
        .finally(() => {
          activity.active--
          wake.notify()
        })
    }
  }
}

function roomFor({ grading, limiter, ports }: SampleContext, { active, backingOff, concurrency }: Activity): number {
  if (ports.storageFault() !== null || grading.backlog() > maxBacklog || backingOff > maxPausing) return 0
  const asking = active - backingOff
  return Math.min(limiter.allowance(asking), (concurrency ?? Number.POSITIVE_INFINITY) - asking)
}
