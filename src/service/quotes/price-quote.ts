import type { Quote } from '../../contract/index.ts'
import type { SelectedModel } from './select-model.ts'

/** Tokens an answer is taken to have while nothing is known of the model: a short worked solution. */
const assumedAnswerTokens = 200

export interface TokenCounts {
  readonly samples: number
  readonly inputTokens: number
  readonly outputUpperBound: number
  /** How the input tokens were found. */
  readonly basis: string
}

/** What the run is expected to cost and could at most. Connections are billed by their provider: the wallet is charged nothing. */
export function priceQuote(model: SelectedModel, tokens: TokenCounts, maxCharge: bigint): Quote['cost'] {
  const { rates, kind } = model.snapshot
  const outputEstimate = Math.min(tokens.outputUpperBound, tokens.samples * assumedAnswerTokens)
  const input = charge(tokens.inputTokens, rates?.input_microusd_per_million)
  const output = charge(outputEstimate, rates?.output_microusd_per_million)
  const known = (amount: bigint) => (rates ? String(amount) : null)
  const bound = input + charge(tokens.outputUpperBound, rates?.output_microusd_per_million)
  const billedHere = kind === 'managed'
  return {
    components: [
      {
        kind: 'input_tokens',
        quantity: tokens.inputTokens,
        unit: 'token',
        rate_microusd: rates?.input_microusd_per_million ?? null,
        estimated_microusd: known(input),
        basis: tokens.basis,
      },
      {
        kind: 'output_tokens',
        quantity: outputEstimate,
        unit: 'token',
        rate_microusd: rates?.output_microusd_per_million ?? null,
        estimated_microusd: known(output),
        basis: `Assumes ${assumedAnswerTokens} tokens an answer; at most ${tokens.outputUpperBound} in all.`,
      },
    ],
    estimated_charge_microusd: String(billedHere ? least(input + output, maxCharge) : 0n),
    upper_bound_microusd: String(billedHere ? bound : 0n),
    max_charge_microusd: String(maxCharge),
    provider_billed_estimate_microusd: billedHere ? '0' : rates ? String(input + output) : null,
  }
}

/** Micro-USD of so many tokens at a rate per million, rounded up: an estimate must not flatter. */
function charge(tokens: number, ratePerMillion: string | undefined): bigint {
  return (BigInt(tokens) * BigInt(ratePerMillion ?? '0') + 999_999n) / 1_000_000n
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
