import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneOptimize } from '../../contract/tuning/search.schemas.ts'
import { priceOf, tokenRates, usualAnswerTokens } from '../../engine/clients/pricing/pricing.ts'
import type { JudgeFacts } from '../evaluators/index.ts'
import { mostProposals, searchShare } from './search-limits.ts'

/** Tokens of a request for a proposal: the prompt and four failures with their grades. */
const usualProposalTokens = 2000

type SearchPrice = Pick<NonNullable<TuneQuote['optimize']>, 'estimated_charge_microusd' | 'provider_billed_estimate_microusd'>

/**
 * What a prompt search is expected to cost if it makes all its calls: scoring at the candidate's own estimate, and proposals. Null where
 * rates are unknown. What the wallet is charged stays within the search's share of the cap.
 */
export function priceSearch(
  { max_calls: calls }: TuneOptimize,
  { cost, counts }: Pick<Quote, 'cost' | 'counts'>,
  { payer, rates }: Pick<JudgeFacts, 'payer' | 'rates'>,
  cap: bigint,
): SearchPrice {
  const proposals = Math.min(mostProposals, calls)
  const known = tokenRates(rates)
  const written = known && priceOf({ inputTokens: proposals * usualProposalTokens, outputTokens: proposals * usualAnswerTokens }, known)
  const scored = (total: string | null) =>
    total === null ? null : (BigInt(total) * BigInt(calls - proposals)) / BigInt(Math.max(1, counts.model_calls))
  const sum = (total: string | null, isPayer: boolean) => {
    const parts = [scored(total), isPayer ? written : 0n]
    return parts.reduce<bigint | null>((all, part) => (all === null || part === null ? null : all + part), 0n)
  }
  const charge = sum(cost.estimated_charge_microusd, payer === 'wallet')
  const bill = sum(cost.provider_billed_estimate_microusd, payer === 'provider')
  const most = cap / searchShare
  return {
    estimated_charge_microusd: charge === null ? null : String(charge < most ? charge : most),
    provider_billed_estimate_microusd: bill === null ? null : String(bill),
  }
}
