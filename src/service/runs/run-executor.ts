import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isTerminal } from '../../contract/machine.ts'
import { stopCodes } from '../../contract/runs/failure-codes.ts'
import { accountingMachine, runMachine } from '../../contract/runs/run.machine.ts'
import type { MetricPlan, RunPlan, StopReason } from '../../engine/execution/scheduler/ports.ts'
import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import { createScheduler, type Scheduler } from '../../engine/execution/scheduler/scheduler.ts'
import type { FrozenSamples } from '../../storage/runs/fill-samples.store.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import { createRunWriterThread, WriterLostError } from '../../workers/run-writer.ts'
import { createSampleFacts } from './sample-facts.store.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type Connections, endpointName } from '../connections/index.ts'
import type { Evaluators, RunBudget } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import { endCancelled } from './end-cancelled.ts'
import { createBatchStore } from './batches.store.ts'
import { callsPath, createCallLog } from './call-log.ts'
import { createRunStore } from './run-store.ts'
import { finishRun } from './finish-run.ts'
import type { Team } from '../workers/index.ts'
import type { LiveRuns } from './live-runs.ts'
import { presentRun } from './result-frame.ts'
import { recordSandboxes } from './record-sandboxes.ts'
import { missingEndpoint } from './missing-endpoint.ts'
import { batchEndpointName, planRun } from './run-plan.ts'
import { createRunTasks } from './run-tasks.ts'
import { limiterPorts } from './limiter-ports.ts'
import { setPause } from './pauses.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { findRunByNo, markStarted, openRuns, primaryTotals, type RunRow } from './runs.store.ts'
import { keepTasks } from './task-memory.ts'
import { messageOf } from '../../lib/message-of.ts'
import { endSentence } from '../../lib/format/end-sentence.ts'

/** Milliseconds until a run whose writes failed is executed again. */
const retryStorageAfter = 2_000
/** Losses of the thread that stores runs, within ten minutes, after which runs resume by themselves. */
const mostLosses = 2
/** Milliseconds that a stop waits for results that are being made. */
const finishGraceMs = 2_000

const status = { table: 'runs', column: 'status' } as const
const accounting = { table: 'runs', column: 'accounting_state' } as const

/**
 * Executes runs in the background; resumes interrupted ones. Commands name runs by number or id and may come too late: a run that is
 * not being executed is left as it is, and what is stored is what it begins with.
 */
export interface RunExecution {
  /** After the commit of the transaction that is open, and never when it is rolled back. */
  begin(runNo: number): void
  /** Whether a run is being executed, begun or settled at the moment. */
  isBusy(runNo: number): boolean
  /** Ends what a run that is being executed waits for; false where it is not. */
  resumeNow: Scheduler['resume']
  /** What was begun ends, nothing else begins. */
  pause(runId: string): void
  /** At start: every unfinished run resumes. */
  resume(): void
  /** Makes no more calls, ends what was not asked as cancelled. */
  cancel(runId: string): void
  /** Makes no more calls, ends what was not asked as missing. False where the run is not being executed. */
  stop(runId: string, reason: StopReason): boolean
  /** @param concurrency calls at a time; null: as many as the endpoint allows */
  setConcurrency(runId: string, concurrency: number | null): void
  /** @param cap micro-USD in all */
  setCap(runId: string, cap: bigint): void
  /** @param gate only samples at positions below it are run; null: all */
  setGate(runId: string, gate: number | null): void
  /** Null when the run is not being executed at the moment. */
  view: Scheduler['view']
  /** Before a close: begins nothing new and waits a while for the calls in flight, so that their answers are stored. */
  drain(): Promise<void>
  close(): Promise<void>
}

export interface ExecutionDependencies {
  readonly catalog: Catalog
  readonly connections: Connections
  readonly evaluators: Pick<Evaluators, 'runs'>
  /** Shared with judges. */
  readonly limiters: Limiters
  readonly quotes: Quotes
  readonly workers: Workers
  readonly live: LiveRuns
  /** The run has its result. */
  readonly onEnded: (runNo: number) => void
  /** Null where all work is done on this machine. */
  readonly team: Pick<Team, 'places' | 'committed' | 'over' | 'abandon'> | null
}

export function createRunExecution(
  kernel: Kernel,
  { catalog, connections, evaluators, limiters, quotes, workers, live, onEnded, team }: ExecutionDependencies,
): RunExecution {
  const { db, clock, log } = kernel
  /** Metrics of the runs that are being executed, by profile number. */
  const executing = new Map<number, readonly (readonly MetricPlan[])[]>()
  const closing = new AbortController()
  let isDraining = false
  /** A stop waits no longer for results; the next start makes them. */
  const late = new AbortController()
  const databasePath = join(kernel.config.dataDir, 'assay.db')
  const calls = createCallLog(callsPath(kernel.config.dataDir), databasePath)
  const writer = createRunWriterThread(databasePath, db.turns, db.shareWriting)
  const sampleFacts = createSampleFacts(db)
  const store = createRunStore(kernel, calls, writer, runNo => executing.get(runNo) ?? [])
  const scheduler: Scheduler = createScheduler(
    {
      ...limiterPorts(kernel),
      store,
      tasks: keepTasks(numbers => catalog.tasks(numbers)),
      score: evaluators.runs.graders.scoring(workers.score, {
        budgetOf: runNo => judgeBudget(presentRun(kernel, runNo)),
        samplesOf: (runNo, positions) => sampleFacts(presentRun(kernel, runNo), positions),
      }),
      callFunction: workers.callFunction,
      matchCall: (rules, given, open) => workers.worlds.match(rules, given, open),
      askUser: (run, turn) => evaluators.runs.users.ask(run, turn, runNo => judgeBudget(presentRun(kernel, runNo))),
      graders: () => workers.scoringThreads + (team?.places() ?? 0),
      storageFault: kernel.storage.storageFault,
      countPrompt: async messages => (await workers.countTokens([messages]))[0] ?? 0,
      onEndpointChange: live.announce,
      onCommit: (runNo, commit) => {
        live.commit(runNo, commit)
        team?.committed(runNo, commit)
      },
    },
    limiters,
  )
  const connectionDisabled: StopReason = { code: 'connection_disabled', message: stopCodes.connection_disabled }
  connections.onDisabled(id => {
    for (const name of [endpointName(id), batchEndpointName(id)]) scheduler.stopEndpoint(name, connectionDisabled)
  })

  const executeFrom = async (before: RunRow): Promise<void> => {
    // What a part's code is run in belongs to the run whose result it becomes.
    await recordSandboxes(
      kernel,
      workers,
      before.part_of ?? before.no,
      profilesOf(before).flatMap(profile => profile.metrics),
    )
    if (closing.signal.aborted || isDraining) return
    const plan = await planRun(before, catalog, connections, {
      store: createBatchStore(kernel, before.no),
      closing: closing.signal,
    })
    try {
      await executePlan(plan, before)
    } finally {
      if (plan.model.kind === 'endpoint') await plan.model.client.close()
    }
  }
  const executePlan = async (plan: RunPlan, before: RunRow): Promise<void> => {
    const { runNo } = plan
    await writer.open({
      runNo,
      runId: before.id,
      workspaceId: before.workspace_id,
      payer: plan.money?.payer ?? null,
      callBound: BigInt(quoteOf(before).cost.sample_upper_bound_microusd ?? 0),
      frozen: frozenSamples(before, quotes),
    })
    // It may have been cancelled while its endpoint was being opened.
    const row = findRunByNo(db, runNo)
    if (!row || closing.signal.aborted) {
      await writer.close(runNo)
      return
    }
    executing.set(
      row.no,
      plan.profiles.map(profile => profile.metrics),
    )
    const endYield = kernel.reads.yieldToRun()
    try {
      db.transaction(() => {
        if (row.status === 'queued') transition(db, runMachine, status, row.id, 'start', timestamp(clock))
        if (row.accounting_state === 'held') transition(db, accountingMachine, accounting, row.id, 'meter', timestamp(clock))
        markStarted(db, row.no, timestamp(clock))
        if (row.pause_code !== 'paused') setPause(db, row.no, null)
      })
      live.open(plan, primaryTotals(db, row.no, plan.profiles.length))
      // The gate may have been raised while the endpoint was being opened.
      const ended = scheduler.run({ ...plan, gate: row.gate })
      if (row.pause_code === 'paused') scheduler.control(row.id)?.setPaused(true)
      if (row.status === 'cancelling') scheduler.control(row.id)?.cancel()
      // While its endpoint was being opened, or nothing was executed, it was not among the runs that are stopped.
      else if (plan.model.kind === 'endpoint' && missingEndpoint(quoteOf(row).model, row.workspace_id, connections))
        scheduler.control(row.id)?.stop(connectionDisabled)
      const end = await ended
      if (end.kind === 'suspended') return
      await finishRun(kernel, { workers, evaluators, signal: late.signal }, row.no, end)
      calls.forget(row.no)
      onEnded(row.part_of ?? row.no)
    } finally {
      endYield()
      executing.delete(row.no)
      team?.over(row.no)
      await Promise.all([evaluators.runs.graders.end(row.no), evaluators.runs.users.end(row.no)])
      live.close(row.no)
      // Rejects where the thread has crashed; the run is over here all the same.
      await writer.close(row.no)
    }
  }

  /** Whatever was thrown, the run shows it and can be resumed or cancelled. */
  const pause = (runNo: number, error: unknown) => {
    if (closing.signal.aborted) return
    const row = findRunByNo(db, runNo)
    if (!row || isTerminal(runMachine, row.status)) return
    log.error({ err: error, runId: row.id }, 'executing the run failed')
    if (row.status === 'cancelling') endCancelled(kernel, runNo)
    // A person's pause stays: the next start would lift the other one.
    else if (row.pause_code !== 'paused') {
      const message = `Executing the run failed: ${endSentence(messageOf(error))} Resume it to try again, or cancel it.`
      setPause(db, runNo, { code: 'internal_error', message, at: timestamp(clock) })
    }
    live.announce(runNo)
  }
  /** Until the claims of the process before are given back, no call may be noted as begun. */
  let resuming: Promise<void> = Promise.resolve()
  /** A full disk is waited for, a lost thread is started again; any other error is reported and requires a person. */
  const execute = async (runNo: number): Promise<void> => {
    await resuming
    for (let row = findRunByNo(db, runNo); row && !closing.signal.aborted; row = findRunByNo(db, runNo)) {
      try {
        return await executeFrom(row)
      } catch (error) {
        // What was in flight counts as possibly billed, and everything stored stays: the next execution starts the thread again.
        if (error instanceof WriterLostError && error.times <= mostLosses) {
          log.warn({ err: error, runId: row.id, times: error.times }, 'the thread that stores runs was lost; the run resumes')
          continue
        }
        if (!store.passes(error)) return pause(runNo, error)
        log.warn({ err: error, runId: row.id }, 'storage failed while the run was executed; it is tried again')
        await delay(retryStorageAfter, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
  }
  const tasks = createRunTasks(
    runNo =>
      execute(runNo).catch((error: unknown) =>
        log.error({ err: error, runNo }, 'the run could not be paused; it resumes at the next start'),
      ),
    runNo => !isTerminal(runMachine, findRunByNo(db, runNo)?.status ?? 'failed'),
  )
  /** Whether every claim of the process before could be given back. */
  const giveBackAll = async (runNos: readonly number[]): Promise<boolean> => {
    try {
      for (const runNo of runNos) await store.recover(runNo)
      return true
    } catch (error) {
      // Executing that run meets it again and shows it there.
      log.warn({ err: error }, 'calls of the last session could not be accounted for; all that were claimed will count as possibly billed')
      return false
    }
  }
  const restartCalls = (isComplete: boolean) => {
    try {
      calls.restart(isComplete)
    } catch (error) {
      log.warn(
        { err: error },
        'the list of calls in flight could not be begun; after a kill, all that were claimed will count as possibly billed',
      )
    }
  }
  const begin = (runNo: number) => db.afterCommit(() => tasks.begin(runNo))

  return {
    begin,
    isBusy: tasks.isBusy,
    resumeNow: runId => scheduler.resume(runId),
    pause: runId => scheduler.control(runId)?.setPaused(true),
    resume: () => {
      const open = openRuns(db).map(row => row.no)
      resuming = giveBackAll(open).then(restartCalls)
      for (const runNo of open) begin(runNo)
    },
    cancel: runId => scheduler.control(runId)?.cancel(),
    stop: (runId, reason) => {
      const control = scheduler.control(runId)
      control?.stop(reason)
      return control !== null
    },
    setConcurrency: (runId, concurrency) => scheduler.control(runId)?.setConcurrency(concurrency),
    setCap: (runId, cap) => scheduler.control(runId)?.setCap(cap),
    setGate: (runId, gate) => scheduler.control(runId)?.setGate(gate),
    view: runId => scheduler.view(runId),
    drain: () => {
      isDraining = true
      return scheduler.drain(kernel.config.stopGraceMs ?? 0)
    },
    close: async () => {
      closing.abort()
      const suspended = scheduler.close()
      // Their runs would wait for what workers have.
      team?.abandon()
      await suspended
      const patience = setTimeout(() => late.abort(), finishGraceMs)
      await tasks.close()
      clearTimeout(patience)
      await resuming
      await writer.end()
      calls.close()
    },
  }
}

/** What the judges of a run may spend: the caps of the run itself, by who is paid. */
function judgeBudget(row: RunRow): RunBudget {
  return {
    owner: { kind: 'run', id: row.id, workspaceId: row.workspace_id, principalId: row.principal_id },
    wallet: { cap: BigInt(row.held_microusd), spent: BigInt(row.charged_microusd + row.uncertain_microusd) },
    provider: {
      cap: row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd),
      spent: BigInt(row.billed_microusd + row.uncertain_microusd),
    },
  }
}

function frozenSamples(row: RunRow, quotes: Quotes): FrozenSamples {
  if (row.answers !== 'model') return { kind: 'chosen' }
  if (row.part_of === null) return { kind: 'tasks', taskNumbers: quotes.taskNumbers(row.quote_id), epochs: quoteOf(row).execution.epochs }
  return row.part_asks === 'chosen' ? { kind: 'chosen' } : { kind: 'failed', of: row.part_of }
}
