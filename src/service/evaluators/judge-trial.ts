import type { EvaluatorTrial, NewEvaluatorTrial } from '../../contract/evaluators/evaluators.schemas.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { asApiError } from './evaluation-job.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'
import { closeBudget, openBudget, spendingOf } from './judge-budgets.store.ts'
import { forgetOpenCalls } from './judge-calls.store.ts'
import { holdUnder, readyJudges, sharedCap } from './judge-cap.ts'
import { type EvaluationDependencies, openEvaluation } from './open-evaluation.ts'

/** A person waits for the answer. */
const patienceMs = 60_000

/** Grades one output with a definition that is not saved, within a limit that is set aside before and given back after. */
export function createJudgeTrials(kernel: Kernel, dependencies: EvaluationDependencies & { readonly records: EvaluatorRecords }) {
  const { db, clock, ids } = kernel
  return async (
    workspaceId: string,
    by: JobOwner,
    { max_charge_microusd: most, ...tried }: NewEvaluatorTrial,
    signal: AbortSignal,
  ): Promise<EvaluatorTrial> => {
    const cap = most === undefined ? null : BigInt(most)
    const owner = { kind: 'draft', id: ids.next(), workspaceId, principalId: by.kind === 'service' ? '' : by.id } as const
    const { tree, item } = await dependencies.records.prepareTrial(workspaceId, owner.id, tried, signal)
    const hold = holdUnder(readyJudges(dependencies.connections, workspaceId, tree), cap)
    db.transaction(() => openBudget(db, owner, hold, timestamp(clock)))
    try {
      const spending = sharedCap(cap, { charged: 0n, billed: 0n })
      const evaluation = await openEvaluation(kernel, dependencies, tree, { owner, spendingOf: () => spending, patienceMs, signal })
      try {
        const [evaluated] = await evaluation.evaluate([item]).catch(asApiError)
        if (!evaluated) throw new Error('The evaluator gave no score.')
        const { value, class: name, explanation } = evaluated.score
        const votes = evaluated.votes.map(({ judge, vote, verdict, reason }) => ({ judge, vote, verdict, reason }))
        return { value, class: name, explanation, votes, spending: spendingOf(db, owner) }
      } finally {
        await evaluation.close()
      }
    } finally {
      db.transaction(() => {
        forgetOpenCalls(db, owner)
        closeBudget(db, owner, timestamp(clock))
      })
    }
  }
}
