import { isTerminal, notFound, runMachine, type RunStatus } from '../../contract/index.ts'
import type { Kernel } from '../kernel.ts'
import type { LiveRuns } from './live-runs.ts'
import type { RunExecution } from './run-executor.ts'
import { type CaseOutcomeRow, caseOutcomes } from './case-outcomes.store.ts'
import { profilesOf, quoteOf } from './run-record.ts'
import { countsOf, findRun, type RunRow, updateRun } from './runs.store.ts'

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
  readonly stopReason: string | null
  readonly maxCharge: bigint
  readonly charged: bigint
  readonly upperBound: bigint
  readonly maxBilled: bigint | null
  readonly billed: bigint
  readonly providerBound: bigint | null
}

/** Runs that another feature asks part by part: only samples below the gate are run until it is raised. */
export function createGatedRuns({ db }: Kernel, live: LiveRuns, execution: RunExecution) {
  const rowOf = (workspaceId: string, id: string): RunRow => {
    const row = findRun(db, workspaceId, id)
    if (!row) throw notFound('run', id)
    return row
  }
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
        stopReason: row.stop_message,
        maxCharge: BigInt(row.max_charge_microusd),
        charged: BigInt(row.charged_microusd),
        upperBound: BigInt(cost.upper_bound_microusd),
        maxBilled: row.max_billed_microusd === null ? null : BigInt(row.max_billed_microusd),
        billed: BigInt(row.billed_microusd),
        providerBound: cost.provider_billed_upper_bound_microusd === null ? null : BigInt(cost.provider_billed_upper_bound_microusd),
      }
    },
    /** Stored in the caller's transaction; a run waiting at its gate continues after the commit. @param gate null: all samples */
    setGate: (workspaceId: string, id: string, gate: number | null): void => {
      const row = rowOf(workspaceId, id)
      updateRun(db, row.no, { gate })
      db.afterCommit(() => execution.control(row.id)?.setGate(gate))
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
    /** What the runs are now; `changed` resolves once one of them is something else, or when aborted. */
    watch: (workspaceId: string, ids: readonly string[]): { changed(signal: AbortSignal): Promise<void> } => {
      const seen = ids.map(id => rowOf(workspaceId, id).no).map(no => ({ no, version: live.version(no) }))
      return {
        changed: async signal => {
          const done = new AbortController()
          const either = AbortSignal.any([signal, done.signal])
          await Promise.race(seen.map(({ no, version }) => live.changed(no, version, either)))
          done.abort()
        },
      }
    },
  }
}
