import type { EndpointLimiter } from './endpoint-limiter.ts'
import { createGrading, type Grading } from './grading.ts'
import { createJournal } from './journal.ts'
import type { RunEnd, RunPlan, SchedulerPorts, StopReason } from './ports.ts'
import { runSample, type SampleContext } from './run-sample.ts'

/** How many rows are ended in one transaction: a few milliseconds' worth, so that the service goes on answering. */
const endBatch = 1000
/** Answers that may wait for their scores before no more are asked for. */
const maxBacklog = 2048

export interface RunControl {
  /** Asks nothing more, ends what was not asked as cancelled. */
  cancel(): void
  /** Leaves everything as it is stored, for the next start. */
  suspend(): void
  readonly ended: Promise<RunEnd>
}

/** Carries one run out, from whatever state its samples are in. */
export function executeRun(plan: RunPlan, ports: SchedulerPorts, limiter: EndpointLimiter): RunControl {
  const halt = new AbortController()
  let cancelled = false
  let closing = false
  let stopped: StopReason | null = null
  const journal = createJournal(commit => {
    const claimed = ports.store.commit(plan.runNo, commit)
    ports.onCommit(plan.runNo, commit)
    return claimed
  })
  const grading = createGrading(plan, ports, journal)
  const context: SampleContext = {
    plan,
    ports,
    journal,
    grading,
    limiter,
    halt: halt.signal,
    cancelled: () => cancelled,
    closing: () => closing,
    stop: reason => {
      stopped ??= reason
      halt.abort()
    },
  }
  return {
    cancel: () => {
      cancelled = true
      halt.abort()
    },
    suspend: () => {
      closing = true
      halt.abort()
    },
    ended: carryOut(context, grading).then(async (): Promise<RunEnd> => {
      if (closing) return { kind: 'suspended' }
      if (cancelled) {
        await endPending(context, 'cancelled')
        return { kind: 'cancelled' }
      }
      if (!stopped) return { kind: 'done' }
      await endPending(context, 'missing')
      return { kind: 'stopped', reason: stopped }
    }),
  }
}

async function carryOut(context: SampleContext, grading: Grading): Promise<void> {
  const { plan, ports } = context
  ports.store.recover(plan.runNo)
  await regrade(context, grading)
  await askAll(context, grading)
  if (!context.closing()) await grading.drained()
}

/** Answers that a stop left without scores are graded again; nobody is asked twice. */
async function regrade({ plan, ports }: SampleContext, grading: Grading): Promise<void> {
  for (;;) {
    const answers = ports.store.ungraded(plan.runNo, 500)
    if (answers.length === 0) return
    const tasks = ports.tasks(answers.map(answer => answer.taskNo))
    for (const [i, answer] of answers.entries()) {
      const task = tasks[i]
      if (task) grading.add(answer, task)
    }
    await grading.drained()
  }
}

/** Claims as many samples as the endpoint has room for, again and again, until none is left or the run is halted. */
async function askAll(context: SampleContext, grading: Grading): Promise<void> {
  const { plan, ports, journal, limiter, halt } = context
  const most = plan.execution.concurrency ?? Number.POSITIVE_INFINITY
  let active = 0
  const failures: unknown[] = []
  let wake = Promise.withResolvers<void>()
  const ring = () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  }
  for (;;) {
    if (failures.length > 0) throw failures[0]
    if (halt.aborted) break
    const room = grading.backlog() > maxBacklog ? 0 : Math.min(limiter.allowance(active), most - active)
    if (room <= 0) {
      const woken = wake.promise
      await (active > 0 ? woken : Promise.race([woken, ports.sleep(50, halt)]))
      continue
    }
    const samples = await journal.claim(room)
    if (samples.length === 0) {
      if (active === 0) break
      await wake.promise
      continue
    }
    const tasks = ports.tasks(samples.map(sample => sample.taskNo))
    for (const [i, sample] of samples.entries()) {
      const task = tasks[i]
      if (!task) throw new Error(`Task ${sample.taskNo} of run ${plan.runId} is gone.`)
      active++
      runSample(context, sample, task)
        .catch((error: unknown) => {
          failures.push(error)
        })
        .finally(() => {
          active--
          ring()
        })
    }
  }
  while (active > 0) await wake.promise
  if (failures.length > 0) throw failures[0]
}

async function endPending({ plan, ports, journal }: SampleContext, outcome: 'missing' | 'cancelled'): Promise<void> {
  await journal.settled()
  while (ports.store.endPending(plan.runNo, outcome, endBatch, ports.now()) > 0) await new Promise(resolve => setImmediate(resolve))
}
