import type { JudgeModel } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { createSpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { JudgePrompt } from '../../engine/grading/judges/judge-prompt.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { askForText } from './ask-for-text.ts'
import { closeAbandoned, closeBudget, fenceSeedOf, type JudgeOwner, openBudget, spentBy } from './judge-budgets.store.ts'
import { boundarySource, forgetOpenCalls, storedAnswers } from './judge-calls.store.ts'
import type { JudgeHold } from './judge-cap.ts'
import type { EvaluationDependencies } from './open-evaluation.ts'
import { writerFacts } from './open-judges.ts'
import { writer } from './writer-definition.ts'

/** Models that propose prompts: money is set aside, spent and given back as for judges. */
export function createPromptWriters(kernel: Kernel, dependencies: EvaluationDependencies) {
  const { db, clock } = kernel
  return {
    /** @throws ApiError validation_error for a model that can't write */
    facts: (workspaceId: string, model: JudgeModel, loc: readonly (string | number)[]) =>
      writerFacts(dependencies.connections, workspaceId, model, loc),
    /** Sets money aside, in the caller's transaction. @throws ApiError insufficient_credit, spend_ceiling_reached */
    begin: (owner: JudgeOwner, hold: JudgeHold): void => openBudget(db, owner, hold, timestamp(clock)),
    /** Gives back what was not spent, in the caller's transaction. */
    end: (owner: JudgeOwner): void => {
      forgetOpenCalls(db, owner)
      closeBudget(db, owner, timestamp(clock))
    },
    /** At a start, before anything is written: gives back what requests had set aside that ended with the process. */
    endAbandoned: (): void => db.transaction(() => closeAbandoned(db, timestamp(clock))),
    spent: (owner: JudgeOwner) => spentBy(db, owner),
    /** How many answers are stored. */
    stored: (owner: Pick<JudgeOwner, 'kind' | 'id'>): number => storedAnswers(db, owner),
    /** After a kill: calls whose answers are unknown are made again. */
    forgetOpenCalls: (owner: JudgeOwner): void => forgetOpenCalls(db, owner),
    /**
     * @param prompt gets a source of random boundaries, which fence what the model must not take for instructions
     * @throws ApiError provider_error, JudgeUnavailableError
     */
    ask: (
      { owner, wallet, provider, signal }: WriterSetting,
      item: string,
      model: JudgeModel,
      prompt: (draw: () => string) => JudgePrompt,
    ): Promise<string> => {
      const { charged, billed } = spentBy(db, owner)
      return askForText(kernel, dependencies, {
        owner,
        signal,
        spendingOf: payer => (payer === 'wallet' ? createSpendCap(wallet, charged) : createSpendCap(provider, billed)),
        versionId: owner.id,
        item,
        definition: writer(model),
        prompt: () => prompt(boundarySource(fenceSeedOf(db, owner), item)),
      })
    },
  }
}

export interface WriterSetting {
  readonly owner: JudgeOwner
  /** Micro-USD that the wallet may be charged. */
  readonly wallet: bigint
  /** Micro-USD that the provider may bill; null: no cap. */
  readonly provider: bigint | null
  readonly signal: AbortSignal
}
