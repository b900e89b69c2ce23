import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { priceOf, tokenRates, usualAnswerTokens } from '../../engine/clients/pricing/pricing.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { CostBound } from './bound-cost.ts'
import type { SelectedModel } from './select-model.ts'

export interface TokenCounts {
  readonly samples: number
  readonly inputTokens: number
  /** Of the input tokens, those of images and of audio, which may have rates of their own. */
  readonly imageTokens: number
  readonly audioTokens: number
  readonly outputUpperBound: number
  /** How the input tokens were found. */
  readonly basis: string
}

/** What the run is expected to cost and could at most. Connections are billed by their provider: the wallet is charged nothing. */
export function priceQuote({ snapshot }: SelectedModel, tokens: TokenCounts, bound: CostBound, maxCharge: bigint): Quote['cost'] {
  const rates = tokenRates(snapshot.rates)
  const outputEstimate = Math.min(tokens.outputUpperBound, tokens.samples * usualAnswerTokens)
  const parts = { imageInput: tokens.imageTokens, audioInput: tokens.audioTokens }
  const input = rates && priceOf({ inputTokens: tokens.inputTokens, outputTokens: 0, parts }, rates)
  const output = rates && priceOf({ inputTokens: 0, outputTokens: outputEstimate }, rates)
  const estimate = input === null || output === null ? null : input + output
  const billedHere = snapshot.kind === 'managed'
  return {
    components: [
      {
        kind: 'input_tokens',
        quantity: tokens.inputTokens,
        unit: 'token',
        rate_microusd: snapshot.rates?.input_microusd_per_million ?? null,
        estimated_microusd: textOf(input),
        basis: tokens.basis,
      },
      {
        kind: 'output_tokens',
        quantity: outputEstimate,
        unit: 'token',
        rate_microusd: snapshot.rates?.output_microusd_per_million ?? null,
        estimated_microusd: textOf(output),
        basis: `Assumes ${formatCount(usualAnswerTokens)} tokens an answer; at most ${formatCount(tokens.outputUpperBound)} in all.`,
      },
    ],
    estimated_charge_microusd: String(billedHere && estimate !== null ? least(estimate, maxCharge) : 0n),
    upper_bound_microusd: String(billedHere ? bound.run : 0n),
    max_charge_microusd: String(maxCharge),
    provider_billed_estimate_microusd: billedHere ? '0' : textOf(estimate),
    provider_billed_upper_bound_microusd: billedHere ? '0' : textOf(rates && bound.run),
    sample_upper_bound_microusd: textOf(rates && bound.sample),
  }
}

function textOf(amount: bigint | null): string | null {
  return amount === null ? null : String(amount)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
