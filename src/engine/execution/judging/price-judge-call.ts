import type { Rates } from '../../../contract/index.ts'
import type { CallOutcome, ModelRequest } from '../../clients/model-client.ts'
import { actualCost, expectedTokens, worstCase } from '../scheduler/cost-of-call.ts'

/** What a judge's calls cost; null where they cost nothing that is known. */
export interface JudgePrices {
  /** Micro-USD that a call can cost at most. */
  reserve(request: ModelRequest): bigint
  /** Micro-USD that it cost. */
  meter(request: ModelRequest, outcome: CallOutcome): bigint
}

/** The one place where judging asks the product's pricing. */
export function judgePrices(rates: Rates | null): JudgePrices | null {
  const [inputRate, outputRate] = [BigInt(rates?.input_microusd_per_million ?? '0'), BigInt(rates?.output_microusd_per_million ?? '0')]
  if (inputRate === 0n && outputRate === 0n) return null
  const money = { payer: 'provider' as const, inputRate, outputRate, cap: null, spent: 0n }
  return { reserve: request => worstCase(request, money), meter: (request, outcome) => actualCost(request, outcome, money) }
}

/** For limits of tokens per minute. */
export const usualJudgeTokens = expectedTokens
