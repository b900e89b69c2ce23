import { ApiError, invalidField } from '../../contract/errors.ts'
import { judgePrices } from '../../engine/execution/judging/price-judge-call.ts'
import { createSpendCap, type SpendCap } from '../../engine/execution/scheduler/spend-cap.ts'
import type { Connections } from '../connections/index.ts'
import { type EvaluatorTree, evaluatorsIn } from './evaluator-tree.ts'
import { type JudgeFacts, modelFacts } from './open-judges.ts'

/** Every model that an evaluator asks. @throws ApiError conflict for one that can't be called now */
export function readyJudges(connections: Connections, workspaceId: string, tree: EvaluatorTree): JudgeFacts[] {
  return evaluatorsIn(tree).flatMap(({ name, definition }) =>
    modelFacts(connections, workspaceId, definition, ['body', 'evaluator_version_id']).map(facts => {
      const model = definition.kind === 'embedding' ? 'The embedding model' : 'A judge'
      if (facts.unavailable !== null) throw new ApiError('conflict', `${model} of "${name}" can't be used: ${facts.unavailable}`)
      return facts
    }),
  )
}

/** What must be set aside before judges are called, in micro-USD. */
export interface JudgeHold {
  readonly wallet: bigint
  /** Null: a judge's connection states no rates, so it is not known. */
  readonly provider: bigint | null
}

export const nothingHeld: JudgeHold = { wallet: 0n, provider: 0n }

/**
 * What must be set aside for a limit, by who is paid.
 * @throws ApiError validation_error where calls have a known price and no limit is given
 */
export function holdUnder(judges: readonly JudgeFacts[], cap: bigint | null): JudgeHold {
  const priced = judges.filter(({ rates }) => judgePrices(rates) !== null)
  if (priced.length > 0 && cap === null)
    throw invalidField(
      ['body', 'max_charge_microusd'],
      `is required: calls of ${priced.map(({ name }) => name).join(', ')} cost money`,
      'missing',
    )
  const limitFor = (payer: JudgeFacts['payer']) => (priced.some(judge => judge.payer === payer) ? (cap ?? 0n) : 0n)
  const isUnknown = judges.some(({ payer, rates }) => payer === 'provider' && rates === null)
  return { wallet: limitFor('wallet'), provider: isUnknown ? null : limitFor('provider') }
}

/** One limit for what the wallet and what providers are paid. */
export function sharedCap(cap: bigint | null, { charged, billed }: { readonly charged: bigint; readonly billed: bigint }): SpendCap {
  return createSpendCap(cap, charged + billed)
}
