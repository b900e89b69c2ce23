import { setTimeout as delay } from 'node:timers/promises'
import { accountingMachine, runMachine, stopCodes } from '../../contract/index.ts'
import type { Limiters } from '../../engine/execution/scheduler/limiters.ts'
import { createScheduler, type Scheduler } from '../../engine/execution/scheduler/scheduler.ts'
import { transition } from '../../storage/transition.ts'
import type { Workers } from '../../workers/pool.ts'
import type { Catalog } from '../catalog/catalog.types.ts'
import { type Connections, endpointName } from '../connections/index.ts'
import type { Evaluators, RunBudget } from '../evaluators/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { Quotes } from '../quotes/index.ts'
import { createExecutionStore, type ExecutingRun } from './execution.store.ts'
import { createSampleFiller, type FrozenSamples } from './fill-samples.store.ts'
import { finishRun } from './finish-run.ts'
import type { LiveRuns } from './live-runs.ts'
import { presentRun } from './result-frame.ts'
import { recordSandboxes } from './record-sandboxes.ts'
import { planRun } from './run-plan.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { findRunByNo, markStarted, openRuns, primaryTotals, type RunRow } from './runs.store.ts'
import { keepTasks } from './task-memory.ts'

const status = { table: 'runs', column: 'status' } as const
const accounting = { table: 'runs', column: 'accounting_state' } as const

/** Carries runs out in the background, from submission or from wherever a stop left them. */
export interface RunExecution {
  begin(runNo: number): void
  /** At start: every run that has not ended goes on. */
  resume(): void
  /** Null when the run is not being carried out at the moment. */
  control: Scheduler['control']
  view: Scheduler['view']
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
}

export function createRunExecution(
  kernel: Kernel,
  { catalog, connections, evaluators, limiters, quotes, workers, live }: ExecutionDependencies,
): RunExecution {
  const { db, clock, log } = kernel
  const executing = new Map<number, ExecutingRun>()
  const tasks = new Set<Promise<void>>()
  const closing = new AbortController()
  const now = () => clock.now().getTime()
  const store = createExecutionStore(kernel, runNo => {
    const run = executing.get(runNo)
    if (!run) throw new Error(`Run ${runNo} is not being carried out.`)
    return run
  })
  const scheduler: Scheduler = createScheduler(
    {
      store,
      tasks: keepTasks(numbers => catalog.tasks(numbers)),
      score: evaluators.runs.graders.scoring(workers.score, runNo => judgeBudget(presentRun(kernel, runNo))),
      graders: workers.scoringThreads,
      now,
      monotonic: () => performance.now(),
      random: Math.random,
      sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
      obstacle: kernel.storage.obstacle,
      onCommit: live.commit,
    },
    limiters,
  )
  connections.onDisabled(id =>
    scheduler.stopEndpoint(endpointName(id), { code: 'connection_disabled', message: stopCodes.connection_disabled }),
  )

  const carryOut = async (runNo: number, before: RunRow): Promise<void> => {
    // What a part's code is run in belongs to the run whose result it becomes.
    await recordSandboxes(
      kernel,
      workers,
      before.part_of ?? before.no,
      profilesOf(before).flatMap(profile => profile.metrics),
    )
    const plan = await planRun(before, catalog, connections)
    // It may have been cancelled while its endpoint was being opened.
    const row = findRunByNo(db, runNo)
    if (!row || closing.signal.aborted) {
      if (plan.model.kind === 'endpoint') await plan.model.client.close()
      return
    }
    const filler = createSampleFiller(db, row.no, frozenSamples(row, quotes))
    executing.set(row.no, {
      workspaceId: row.workspace_id,
      runId: row.id,
      metrics: plan.profiles.map(p => p.metrics),
      payer: plan.money?.payer ?? null,
      filler,
    })
    try {
      db.transaction(() => {
        if (row.status === 'queued') transition(db, runMachine, status, row.id, 'start', timestamp(clock))
        if (row.accounting_state === 'held') transition(db, accountingMachine, accounting, row.id, 'meter', timestamp(clock))
        markStarted(db, row.no, timestamp(clock))
      })
      live.open(plan, primaryTotals(db, row.no, plan.profiles.length))
      const ended = scheduler.run(plan)
      if (row.status === 'cancelling') scheduler.control(row.id)?.cancel()
      const end = await ended
      if (end.kind !== 'suspended') await finishRun(kernel, { workers, evaluators }, row.no, end)
    } finally {
      executing.delete(row.no)
      await evaluators.runs.graders.end(row.no)
      live.close(row.no)
    }
  }

  const begin = (runNo: number) => {
    const row = findRunByNo(db, runNo)
    if (!row || closing.signal.aborted) return
    const task: Promise<void> = carryOut(runNo, row)
      .catch(error => log.error({ err: error, runId: row.id }, 'the run could not go on; it is taken up again at the next start'))
      .finally(() => tasks.delete(task))
    tasks.add(task)
  }

  return {
    begin,
    resume: () => {
      for (const row of openRuns(db)) begin(row.no)
    },
    control: runId => scheduler.control(runId),
    view: runId => scheduler.view(runId),
    close: async () => {
      closing.abort()
      await scheduler.close()
      await Promise.allSettled(tasks)
    },
  }
}

/** What the judges of a run may spend: the caps of the run itself, by who is paid. */
function judgeBudget(row: RunRow): RunBudget {
  return {
    owner: { kind: 'run', id: row.id, workspaceId: row.workspace_id, principalId: row.principal_id },
    wallet: { cap: BigInt(row.held_microusd), spent: BigInt(row.charged_microusd) },
    provider: { cap: row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd), spent: BigInt(row.billed_microusd) },
  }
}

function frozenSamples(row: RunRow, quotes: Quotes): FrozenSamples {
  if (row.part_of === null) return { kind: 'tasks', taskNumbers: quotes.taskNumbers(row.quote_id), epochs: quoteOf(row).execution.epochs }
  return row.part_asks === 'chosen' ? { kind: 'chosen' } : { kind: 'failed', of: row.part_of }
}
