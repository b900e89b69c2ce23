import { ApiError } from '../../contract/errors.ts'
import type { JudgeDefinition } from '../../contract/evaluators/evaluator-definition.schemas.ts'
import { createJudgeCaller, newJudgeHealth } from '../../engine/execution/judging/judge-caller.ts'
import type { JudgePrompt } from '../../engine/grading/judges/judge-prompt.ts'
import type { SpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { Kernel } from '../kernel.ts'
import { createGroupCommit } from './group-commit.ts'
import type { JudgeOwner } from './judge-budgets.store.ts'
import { createJudgeCallLog } from './judge-calls.store.ts'
import { type EvaluationDependencies, pause } from './open-evaluation.ts'
import { type JudgeFacts, openJudges } from './open-judges.ts'

const longestText = 20_000

export interface TextRequest {
  readonly owner: JudgeOwner
  readonly spendingOf: (payer: JudgeFacts['payer']) => SpendCap | null
  readonly signal: AbortSignal
  /** The work and the text's name in it: a text that was written is not asked for again. */
  readonly versionId: string
  readonly item: string
  /** Whose first judge writes. */
  readonly definition: JudgeDefinition
  readonly prompt: () => JudgePrompt
}

/** Asks a model for a text. The reply is stored like any judge's. @throws ApiError provider_error where nothing is written */
export async function askForText(
  { db, clock }: Pick<Kernel, 'db' | 'clock'>,
  dependencies: EvaluationDependencies,
  { owner, spendingOf, signal, versionId, item, definition, prompt }: TextRequest,
): Promise<string> {
  const { endpoints, payers, close } = await openJudges(dependencies, owner.workspaceId, definition, owner, spendingOf, {
    what: 'model',
  })
  try {
    const log = createJudgeCallLog(db, { owner, evaluatorVersionId: versionId, item, payers, writes: createGroupCommit(db) })
    const ports = {
      // Asked for text: the verdict tool would be in the way.
      endpoints: endpoints.map(endpoint => ({ ...endpoint, structured: false })),
      log,
      maxAttempts: 5,
      now: () => clock.now().getTime(),
      random: Math.random,
      sleep: pause,
      signal,
    }
    const ask = createJudgeCaller(ports, newJudgeHealth(endpoints.length))
    const answer = await ask(definition, { judge: 0, vote: 0, order: 'ab', criterion: null, repair: false, prompt: prompt() })
    const text = answer.ok ? answer.text.trim().slice(0, longestText) : ''
    if (text === '') throw new ApiError('provider_error', answer.ok ? 'The model wrote nothing.' : answer.reason)
    return text
  } finally {
    await close()
  }
}
