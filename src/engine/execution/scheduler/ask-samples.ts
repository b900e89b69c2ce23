import type { Task } from '../../tasks/task.ts'
import { fullGroup } from './journal.ts'
import type { ClaimedSample } from './ports.ts'
import type { WakeSignal } from './wake-signal.ts'
import { endUnasked, runSample } from './run-sample.ts'
import type { SampleContext } from './sample-context.ts'

/** Answers that may wait for their scores before no more calls start. */
const maxBacklog = 2048
/** UTF-16 code units of them, and bytes that may wait to be durable, before no more calls start: a few answers may be as long as thousands. */
const mostBacklogText = 32 * 1024 * 1024
const mostWaitingBytes = 32 * 1024 * 1024
/** Samples that may pause before another attempt at a time. */
const maxPausing = 1024
/** Samples that may be claimed before there is a place for them. */
const mostAhead = 64

/** The part of a run that is under way. */
export interface Activity {
  /** Begun and not ended: asked, pausing, or waiting to be durable. */
  active: number
  /** Of these, holding a place among the calls in flight. */
  asking: number
  /** Claimed, not begun. */
  readonly ahead: Claimed[]
  /** Of those that were begun, waiting before another attempt. */
  backingOff: number
  /** Calls at a time; null: as many as the endpoint allows. */
  concurrency: number | null
  /** Only samples at positions below it are claimed; null: all. */
  gate: number | null
  /** Paused by a person: what was begun ends, nothing else begins. */
  paused: boolean
  /** Whether all frozen samples have been made. */
  filled: boolean
  /** Something of the above changed, or time has passed. */
  readonly wake: WakeSignal
}

export interface Claimed {
  readonly sample: ClaimedSample
  readonly task: Task
}

/**
 * Asks samples for as long as the endpoint has places, until none is left or the run is halted. Some are claimed ahead, so that a place
 * that comes free is taken at once and not after the next commit: as many as two groups of the journal have needed lately.
 */
export async function askSamples(context: SampleContext, activity: Activity): Promise<void> {
  const { closing, stopSignal } = context
  const { wake, ahead: claimed } = activity
  const claims = createClaims(context, activity, claimed)
  while (!stopSignal.aborted && !(claims.isLast() && claimed.length === 0 && activity.active === 0)) {
    for (let room = roomFor(context, activity); room > 0; room--) {
      const next = claimed.shift()
      if (!next) break
      claims.began()
      begin(context, activity, runSample(context, next.sample, next.task))
    }
    claims.more()
    await wake.notified()
  }
  await claims.settled()
  if (!closing()) for (const { sample } of claimed.splice(0)) begin(context, activity, endUnasked(context, sample))
  while (activity.active > 0) await wake.notified()
}

function begin({ crash }: SampleContext, activity: Activity, sample: Promise<void>): void {
  activity.active++
  sample.catch(crash).finally(() => {
    activity.active--
    activity.wake.notify()
  })
}

interface Claims {
  /** Whether no sample is left to claim. */
  isLast(): boolean
  /** One of the claimed samples was begun. */
  began(): void
  /** Claims what is lacking, unless a claim is under way. */
  more(): void
  /** Resolves when no claim is under way. */
  settled(): Promise<void>
}

function createClaims(context: SampleContext, activity: Activity, claimed: Claimed[]): Claims {
  const { plan, ports, journal, crash } = context
  let isLast = false
  let pending: Promise<void> | null = null
  let ahead = 1
  let begun = 0
  const claim = async (count: number) => {
    const { gate } = activity
    const isAll = activity.filled && gate === null
    const samples = await journal.claim(count, gate)
    const tasks = ports.tasks(samples.map(sample => sample.taskNo))
    for (const [i, sample] of samples.entries()) {
      const task = tasks[i]
      if (!task) throw new Error(`Task ${sample.taskNo} of run ${plan.runId} is gone.`)
      claimed.push({ sample, task })
    }
    isLast = isAll && samples.length < count
    // Where none was there, whoever makes the next ones tells. A gate that was raised meanwhile has told too early.
    if (samples.length > 0 || isLast || gate !== activity.gate) activity.wake.notify()
  }
  return {
    isLast: () => isLast,
    began: () => begun++,
    settled: async () => pending ?? undefined,
    more: () => {
      if (pending || isLast || claimed.length > ahead / 2 || isHeld(context, activity) || context.limiter.circuit.isOpen()) return
      ahead = Math.min(mostAhead, Math.max(1, 2 * begun))
      begun = 0
      pending = claim(ahead + Math.max(0, roomFor(context, activity)))
        .catch(crash)
        .finally(() => {
          pending = null
        })
    },
  }
}

/** Whether something of the run's own lets nothing new begin. At most a group of answers waits in memory. */
function isHeld({ draining, grading, journal, ports }: SampleContext, { backingOff, paused }: Activity): boolean {
  if (draining() || paused) return true
  if (ports.storageFault() !== null || journal.blocked() !== null) return true
  if (journal.waitingBytes() >= mostWaitingBytes || grading.backlogText() >= mostBacklogText) return true
  return journal.waiting() >= fullGroup || grading.backlog() + journal.waiting() > maxBacklog || backingOff > maxPausing
}

function roomFor(context: SampleContext, activity: Activity): number {
  if (isHeld(context, activity)) return 0
  const { asking, concurrency } = activity
  return Math.min(context.limiter.allowance(asking), (concurrency ?? Number.POSITIVE_INFINITY) - asking)
}
