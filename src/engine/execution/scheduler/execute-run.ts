import { type Activity, askSamples } from './ask-samples.ts'
import { createCommonFailure } from './common-failure.ts'
import { createWakeSignal } from './wake-signal.ts'
import type { EndpointLimiter } from './endpoint-limiter.ts'
import { createGrading } from './grading.ts'
import { createJournal } from './journal.ts'
import type { GradedRun, RunEnd, RunPlan, RunView, SchedulerPorts, StopReason } from './ports.ts'
import type { SampleContext } from './sample-context.ts'
import { exactSum } from '../../clients/pricing/exact-sum.ts'
import { createSpendCap, unseenFactor } from './spend-cap.ts'
import { watchTime } from './watch-time.ts'

/** How many rows are made or ended in one transaction: a few milliseconds' worth, so that the service stays responsive. */
const rowBatch = 250
const gradeBatch = 500
/** Answers that wait for their scores when the next are read. */
const mostWaiting = 500
/** Milliseconds until what failed for a while is tried again. */
const retryAfter = 1000

export interface RunControl {
  /** Asks nothing more, ends what was not asked as cancelled. */
  cancel(): void
  /** Asks nothing more, ends what was not asked as missing. */
  stop(reason: StopReason): void
  /** Begins no further calls; resolves once those in flight have ended and their answers are durable. */
  drain(): Promise<void>
  /** Leaves everything as it is stored, for the next start. */
  suspend(): void
  setConcurrency(concurrency: number | null): void
  /** @param gate only samples at positions below it are run; null: all */
  setGate(gate: number | null): void
  /** While true, no further samples begin. */
  setPaused(paused: boolean): void
  /** @param cap micro-USD in all; null: no cap */
  setCap(cap: bigint | null): void
  /** Something that the run waits for has changed. */
  wake(): void
  view(): RunView
  readonly ended: Promise<RunEnd>
}

/** Carries one run out, from whatever state its samples are in. */
export function executeRun(plan: RunPlan, ports: SchedulerPorts, limiter: EndpointLimiter): RunControl {
  const stopSignal = new AbortController()
  const callSignal = new AbortController()
  let cancelled = false
  let closing = false
  let draining = false
  let crashed: { readonly error: unknown } | null = null
  let stopped: StopReason | null = null
  let waitedMs = 0
  const activity: Activity = {
    active: 0,
    asking: 0,
    ahead: [],
    backingOff: 0,
    concurrency: plan.execution.concurrency,
    gate: plan.gate,
    paused: false,
    filled: false,
    wake: createWakeSignal(),
  }
  const journal = createJournal({
    monotonic: ports.monotonic,
    passes: error => ports.store.passes(error),
    write: async commit => {
      const claimed = await ports.store.commit(plan.runNo, commit)
      ports.onCommit(plan.runNo, commit)
      return claimed
    },
  })
  const spending = plan.money && createSpendCap(plan.money.cap, plan.money.spent, unseenFactor)
  const graded: GradedRun = {
    runNo: plan.runNo,
    spending,
    payer: plan.money?.payer ?? null,
    patienceMs: plan.execution.throttle_patience_ms,
    stopSignal: stopSignal.signal,
    closing: () => closing,
  }
  const grading = createGrading(plan, ports, journal, graded, error => crash(error))
  /** Given a reason, no error with its stack is made for every call that listens. */
  const interrupt = (calls: 'end' | 'finish' = 'end') => {
    stopSignal.abort('The run asks nothing more.')
    if (calls === 'end') callSignal.abort('The run ends its calls.')
    activity.wake.notify()
  }
  const stop: SampleContext['stop'] = (reason, calls) => {
    stopped ??= reason
    interrupt(calls)
  }
  /** On any exception, calls in flight are ended and left for the next execution of the run. */
  const crash = (error: unknown) => {
    if (closing) return
    crashed = { error }
    closing = true
    interrupt()
    journal.abandon()
  }
  const context: SampleContext = {
    plan,
    ports,
    journal,
    grading,
    graded,
    limiter,
    spending,
    commonFailure: createCommonFailure(),
    booked: exactSum(),
    stopSignal: stopSignal.signal,
    callSignal: callSignal.signal,
    cancelled: () => cancelled,
    closing: () => closing,
    draining: () => draining,
    stop,
    crash,
    waited: ms => {
      waitedMs += ms
    },
    asking: change => {
      activity.asking += change
      if (change < 0) activity.wake.notify()
    },
    backingOff: change => {
      activity.backingOff += change
      activity.wake.notify()
    },
  }
  const finish = async (): Promise<RunEnd> => {
    const clock = watchTime(context, activity)
    try {
      await execute(context, activity)
    } catch (error) {
      if (!closing) throw error
    } finally {
      await clock.end()
    }
    if (crashed) throw crashed.error
    if (closing) return { kind: 'suspended' }
    if (cancelled) {
      await endPending(context, 'cancelled')
      return { kind: 'cancelled' }
    }
    if (!stopped) return { kind: 'done' }
    await endPending(context, 'missing')
    return { kind: 'stopped', reason: stopped }
  }
  return {
    cancel: () => {
      cancelled = true
      interrupt()
    },
    stop: reason => stop(reason),
    drain: async () => {
      draining = true
      activity.wake.notify()
      while (activity.asking > 0 && !stopSignal.signal.aborted) await activity.wake.notified()
      await journal.settled().catch(() => undefined)
    },
    suspend: () => {
      closing = true
      interrupt()
      journal.abandon()
    },
    setConcurrency: concurrency => {
      activity.concurrency = concurrency
      activity.wake.notify()
    },
    setGate: gate => {
      activity.gate = gate
      activity.wake.notify()
    },
    setPaused: paused => {
      activity.paused = paused
      activity.wake.notify()
    },
    wake: () => activity.wake.notify(),
    setCap: cap => spending?.raise(cap),
    view: () => ({
      concurrency: activity.concurrency,
      requesting: activity.asking,
      ahead: activity.ahead.length,
      backingOff: activity.backingOff,
      grading: grading.backlog(),
      waitedMs,
      blocked: ports.storageFault() ?? journal.blocked(),
    }),
    ended: finish(),
  }
}

async function execute(context: SampleContext, activity: Activity): Promise<void> {
  const { plan, ports, closing, grading } = context
  await untilDone(context, () => ports.store.recover(plan.runNo))
  await regrade(context)
  await Promise.all([fill(context, activity).catch(context.crash), askSamples(context, activity).catch(context.crash)])
  if (!closing()) await grading.drained()
}

/** Answers left unscored by a stop are graded; the model is not called again. */
async function regrade({ plan, ports, grading, closing }: SampleContext): Promise<void> {
  for (let after = -1; !closing(); ) {
    const answers = ports.store.ungraded(plan.runNo, after, gradeBatch)
    const last = answers.at(-1)
    if (!last) return grading.drained()
    after = last.position
    const tasks = ports.tasks(answers.map(answer => answer.taskNo))
    for (const [i, answer] of answers.entries()) {
      const task = tasks[i]
      if (task) grading.add(answer, task)
    }
    // The threads grade the queue while the next answers are read.
    await grading.drained(mostWaiting)
  }
}

/** Creates the frozen samples in batches, while the first ones already run. */
async function fill(context: SampleContext, activity: Activity): Promise<void> {
  const { plan, ports, closing, stopSignal } = context
  while (!closing()) {
    // A run that asks nothing more still makes its samples: each of them has to end.
    if (ports.storageFault() !== null && !stopSignal.aborted) {
      await ports.sleep(retryAfter, stopSignal)
      continue
    }
    if ((await untilDone(context, () => ports.store.fill(plan.runNo, rowBatch))) === 0) break
    activity.wake.notify()
    await nextTurn()
  }
  activity.filled = !closing()
  activity.wake.notify()
}

async function endPending(context: SampleContext, outcome: 'missing' | 'cancelled'): Promise<void> {
  const { plan, ports, journal } = context
  await journal.settled()
  while ((await untilDone(context, () => ports.store.endPending(plan.runNo, outcome, rowBatch, ports.now()))) !== 0) await nextTurn()
}

/** Tries again for as long as the store says that the storageFault passes and the process does not close. */
async function untilDone<Result>({ ports, closing }: SampleContext, write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (closing() || !ports.store.passes(error)) throw error
      await ports.sleep(retryAfter, new AbortController().signal)
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
