import { invalidField } from '../../contract/errors.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { EvaluatedItem } from './evaluated-item.ts'
import type { EvaluatorRecords } from './evaluators.service.ts'
import { closeBudget, type JudgeOwner, openBudget, spentBy } from './judge-budgets.store.ts'
import { forgetOpenCalls, storedAnswers } from './judge-calls.store.ts'
import { holdUnder, type JudgeHold, readyJudges, sharedCap } from './judge-cap.ts'
import { evaluatorsIn, isJudged } from './evaluator-tree.ts'
import { type JudgeFacts, modelFacts } from './open-judges.ts'
import { batchSize, type EvaluationDependencies, type Evaluation, openEvaluation } from './open-evaluation.ts'

export interface OutputGrading extends Pick<Evaluation, 'close'> {
  readonly batchSize: number
  /** Whether a model looks at the files that items show. */
  readonly isJudged: boolean
  /** @throws JudgeUnavailableError when its judges can't be asked any further */
  grade(items: readonly EvaluatedItem[]): Promise<readonly { readonly value: number | null; readonly explanation: string }[]>
}

/** Grades outputs that belong to no run: money is set aside, spent and given back as for calibrations. */
export function createOutputGraders(kernel: Kernel, dependencies: EvaluationDependencies & { readonly records: EvaluatorRecords }) {
  const { db, clock } = kernel
  const { records, connections } = dependencies
  return {
    /** @throws ApiError validation_error for an unknown version or one that compares two outputs */
    requireSuitable: (workspaceId: string, versionId: string, loc: readonly (string | number)[]): void => {
      const snapshot = records.find(workspaceId, versionId)
      if (!snapshot) throw invalidField(loc, `there is no evaluator version "${versionId}" in this workspace`)
      const { definition, name } = snapshot
      if (definition.kind === 'model_graded' && definition.mode === 'pairwise')
        throw invalidField(loc, `the evaluator "${name}" compares two outputs; choose one that grades a single output`)
    },
    /** Models that an evaluator asks, whether they can be called now or not. */
    judges: (workspaceId: string, versionId: string): JudgeFacts[] =>
      evaluatorsIn(records.tree(workspaceId, versionId)).flatMap(({ definition }) =>
        modelFacts(connections, workspaceId, definition, ['body', 'evaluator_version_id']),
      ),
    /** What must be set aside under a limit. @throws ApiError conflict, validation_error */
    hold: (workspaceId: string, versionId: string, cap: bigint): JudgeHold =>
      holdUnder(readyJudges(connections, workspaceId, records.tree(workspaceId, versionId)), cap),
    /** Sets money aside, in the caller's transaction. @throws ApiError insufficient_credit, spend_ceiling_reached */
    begin: (owner: JudgeOwner, hold: JudgeHold): void => openBudget(db, owner, hold, timestamp(clock)),
    /** Gives back what was not spent, in the caller's transaction. @returns micro-USD spent */
    end: (owner: JudgeOwner): ReturnType<typeof spentBy> => {
      forgetOpenCalls(db, owner)
      closeBudget(db, owner, timestamp(clock))
      return spentBy(db, owner)
    },
    open: async (owner: JudgeOwner, versionId: string, cap: bigint, signal: AbortSignal): Promise<OutputGrading> => {
      const tree = records.tree(owner.workspaceId, versionId)
      const spending = sharedCap(cap, spentBy(db, owner))
      const evaluation = await openEvaluation(kernel, dependencies, tree, { owner, spendingOf: () => spending, signal })
      return {
        batchSize: batchSize(tree),
        isJudged: isJudged(tree),
        grade: async items =>
          (await evaluation.evaluate(items)).map(({ score: { value, explanation } }) => ({
            value: value !== null && value >= 0 && value <= 1 ? value : null,
            explanation,
          })),
        close: evaluation.close,
      }
    },
    /** How many answers are stored. */
    stored: (owner: Pick<JudgeOwner, 'kind' | 'id'>): number => storedAnswers(db, owner),
    /** After a kill: calls whose answers are unknown are made again. */
    forgetOpenCalls: (owner: JudgeOwner): void => forgetOpenCalls(db, owner),
  }
}
