import type { Rates } from '../../../contract/catalog/models.schemas.ts'
import type { CallOutcome, ModelRequest } from '../../clients/model-client.ts'
import { exactSum } from '../../clients/pricing/exact-sum.ts'
import { isCharged, meterCall, reserveForCall, tokenRates, usualTokens } from '../../clients/pricing/pricing.ts'

/** What a judge's calls cost; null where they cost nothing that is known. */
export interface JudgePrices {
  /** Micro-USD that a call can cost at most. */
  reserve(request: ModelRequest): bigint
  /** Micro-USD to book for it. */
  meter(outcome: CallOutcome): bigint
}

/** The one place where judging asks the product's pricing. */
export function judgePrices(known: Rates | null): JudgePrices | null {
  const rates = tokenRates(known)
  if (!isCharged(rates)) return null
  const booked = exactSum()
  return { reserve: request => reserveForCall(request, rates), meter: outcome => booked(meterCall(outcome, rates)) }
}

/** For limits of tokens per minute. */
export const usualJudgeTokens = usualTokens
