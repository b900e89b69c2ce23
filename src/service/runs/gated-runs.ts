import { requireFound } from '../../contract/errors.ts'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine, type RunStatus } from '../../contract/runs/run.machine.ts'
import type { RunPause } from '../../contract/runs/runs.schemas.ts'
import type { ResolvedSelection } from '../../contract/suites/suites.schemas.ts'
import type { Outage } from '../../engine/execution/scheduler/circuit-breaker.ts'
import type { StopReason } from '../../engine/execution/scheduler/ports.ts'
import { transition } from '../../storage/transition.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { pauseOf } from './describe-run.ts'
import { changeRun } from './change-run.ts'
import type { SharedLimitOf } from './shared-limit.ts'
import type { LiveRuns } from './live-runs.ts'
import type { RunExecution } from './run-executor.ts'
import { type CaseOutcomeRow, caseOutcomes, frozenTaskIds, scoredTasks } from './case-outcomes.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { countsOf, failuresOf, findRun, type RunRow, updateRun } from './runs.store.ts'

/** Why a run that has not ended makes no calls. */
interface WaitingRun extends Pick<Outage, 'since' | 'message'> {
  /** Null: executing it failed, so that it requires a person. */
  readonly code: StopReason['code'] | null
}

/** What an ended run was of. */
export interface FrozenSelection {
  readonly selection: ResolvedSelection
  readonly profileId: string
}

/** How far a run has come. */
export interface RunState {
  readonly status: RunStatus
  readonly isEnded: boolean
  /** Samples with an outcome; of a gated run all below the gate once there are as many. */
  readonly ended: number
  /** Samples that were run: scored or failed. */
  readonly asked: number
  /** Whether the rates of its model are known, and so its cost. */
  readonly priced: boolean
  /** Samples without an outcome. */
  readonly left: number
  /** Since when it cannot continue: its endpoint does not answer, or executing it failed. Null while it can. */
  readonly outage: WaitingRun | null
  readonly stopCode: string | null
  readonly stopReason: string | null
  /** What its samples failed with; counted when asked for. */
  failures(): readonly { readonly code: string; readonly count: number }[]
  readonly maxCharge: bigint
  readonly charged: bigint
  readonly upperBound: bigint
  readonly maxBilled: bigint | null
  readonly billed: bigint
  readonly providerBound: bigint | null
}

function storedPause({ pause_message, paused_at }: RunRow): WaitingRun | null {
  return paused_at === null ? null : { since: Date.parse(paused_at), code: null, message: pause_message ?? '' }
}

/** Runs that another feature asks part by part: only samples below the gate are run until it is raised. */
export function createGatedRuns(kernel: Kernel, live: LiveRuns, execution: RunExecution, limitOf: SharedLimitOf) {
  const { db } = kernel
  const rowOf = (workspaceId: string, id: string): RunRow => requireFound(findRun(db, workspaceId, id), 'run', id)
  return {
    /** Null once the run was deleted. */
    state: (workspaceId: string, id: string): RunState | null => {
      const row = findRun(db, workspaceId, id)
      if (!row) return null
      const counts = countsOf(db, row.no)
      const { cost, model } = quoteOf(row)
      const open = ['pending', 'calling', 'answered'].reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
      return {
        status: row.status,
        isEnded: isTerminal(runMachine, row.status),
        ended: row.frozen - open,
        asked: (counts.get('scored') ?? 0) + (counts.get('failed') ?? 0),
        priced: model.rates !== null,
        left: open,
        outage: execution.view(row.id)?.endpoint.outage ?? storedPause(row),
        stopCode: row.stop_code,
        stopReason: row.stop_message,
        failures: () => failuresOf(db, row.no),
        maxCharge: BigInt(row.max_charge_microusd),
        charged: BigInt(row.charged_microusd),
        upperBound: BigInt(cost.upper_bound_microusd),
        maxBilled: row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd),
        billed: BigInt(row.billed_microusd),
        providerBound: cost.provider_billed_upper_bound_microusd === null ? null : BigInt(cost.provider_billed_upper_bound_microusd),
      }
    },
    /** What the first of the runs that waits for an endpoint waits for. */
    pause: (workspaceId: string, ids: readonly (string | null)[]): RunPause | null => {
      const rows = ids.flatMap(id => (id === null ? [] : (findRun(db, workspaceId, id) ?? [])))
      for (const row of rows) {
        const pause = pauseOf(row, execution.view(row.id), kernel.clock.now().getTime())
        if (pause) return pause
      }
      return null
    },
    /** Stored in the caller's transaction; a run waiting at its gate continues after the commit. @param gate null: all samples */
    setGate: (workspaceId: string, id: string, gate: number | null): void => {
      const row = rowOf(workspaceId, id)
      updateRun(db, row.no, { gate })
      db.afterCommit(() => execution.setGate(row.id, gate))
    },
    /** Ends a run with the samples that it has: the rest is missing. A run that can't be executed is cancelled, so that it ends in any case. */
    stop: (workspaceId: string, id: string, reason: StopReason): void => {
      const row = rowOf(workspaceId, id)
      if (isTerminal(runMachine, row.status) || row.status === 'cancelling') return
      if (execution.stop(row.id, reason)) return
      // What is being begun or settled at the moment announces itself.
      if (execution.isBusy(row.no)) return
      transition(db, runMachine, { table: 'runs', column: 'status' }, row.id, 'cancel', timestamp(kernel.clock))
      execution.begin(row.no)
      live.announce(row.no)
    },
    /**
     * Lets a run that continues spend more, charged as the run itself.
     * @throws ApiError insufficient_credit, spend_ceiling_reached
     */
    raiseCaps: (
      workspaceId: string,
      id: string,
      { wallet, provider }: { readonly wallet: bigint; readonly provider: bigint | null },
    ): void => {
      const row = rowOf(workspaceId, id)
      if (isTerminal(runMachine, row.status)) return
      const { cap } = changeRun(
        kernel,
        limitOf,
        row,
        { principalId: row.principal_id, scope: 'tuning:write' },
        {
          max_charge_microusd: String(wallet),
          ...(provider !== null && { max_provider_billed_microusd: String(provider) }),
        },
      )
      if (cap !== undefined) db.afterCommit(() => execution.setCap(row.id, cap))
    },
    /**
     * The first samples by position, whatever became of them.
     * @param evaluatorVersionId whose metric is read; null: the primary metric
     */
    outcomes: (workspaceId: string, id: string, count: number, evaluatorVersionId: string | null): CaseOutcomeRow[] => {
      const row = rowOf(workspaceId, id)
      const metrics = profilesOf(row)[0]?.metrics ?? []
      const metricNo = metrics.findIndex(metric =>
        evaluatorVersionId === null ? metric.primary : metric.evaluator?.evaluator_version_id === evaluatorVersionId,
      )
      return caseOutcomes(db, row.no, Math.max(0, metricNo), count)
    },
    /** The tasks that an ended run of one profile with results froze, and that profile; null for any other run. */
    frozenSelection: (workspaceId: string, id: string): FrozenSelection | null => {
      const row = rowOf(workspaceId, id)
      const [profile, ...others] = profilesOf(row)
      if (!profile || others.length > 0 || row.result_version === null || !isTerminal(runMachine, row.status)) return null
      const { source_ref, split, version_digest, profile_id } = profile
      return { selection: { source_ref, split, version_digest, task_ids: frozenTaskIds(db, row.no) }, profileId: profile_id }
    },
    /** Numbers of the tasks that have a scored sample. */
    scoredTasks: (workspaceId: string, id: string): ReadonlySet<number> => scoredTasks(db, rowOf(workspaceId, id).no),
    /** What the runs are now; `changed` resolves once one of them is something else, or when aborted. */
    watch: (workspaceId: string, ids: readonly string[]): { changed(signal: AbortSignal): Promise<void> } => {
      const seen = ids.map(id => rowOf(workspaceId, id).no).map(no => ({ no, version: live.version(no) }))
      return {
        changed: async signal => {
          if (seen.length === 0) return
          const done = new AbortController()
          const either = AbortSignal.any([signal, done.signal])
          await Promise.race(seen.map(({ no, version }) => live.changed(no, version, either)))
          done.abort()
        },
      }
    },
  }
}
