import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import type { TuneObjective } from '../../contract/tuning/draft.schemas.ts'
import type { NewTuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import { normalQuantile } from '../../engine/statistics/distributions/normal.ts'
import { detectableDifference } from '../../lib/detectable-difference.ts'
import { formatUsd } from '../../lib/format/money.ts'
import type { JudgeFacts } from '../evaluators/index.ts'
import type { StoredTuneQuote } from './groups.store.ts'
import type { PlannedArm } from './plan-arms.ts'
import { priceSearch } from './price-search.ts'
import { groupAlpha, type RaceFrame } from './race-data.ts'

/** Share of discordant cases of two calls, where nothing is known. */
const assumedDiscordant = 0.2

export interface QuotedArm extends PlannedArm {
  readonly quote: Quote
  /** Sends its tasks to an agent. */
  readonly isAgent: boolean
  /** Milliseconds if every task took as long as it may, one after another at the limits of its connection. */
  readonly timeBoundMs: number
}

export interface QuoteFacts {
  readonly id: string
  readonly sessionId: string
  readonly createdAt: string
  readonly request: NewTuneQuote
  readonly objective: TuneObjective
  readonly frame: RaceFrame
  /** The current call first. */
  readonly arms: readonly QuotedArm[]
  /** Of a prompt search before the race. */
  readonly trainingCases: number
  /** The model that proposes prompts; null without a search. */
  readonly reflection: JudgeFacts | null
  /** Share of discordant cases in earlier groups; null without any. */
  readonly knownDiscordant: number | null
  readonly exploratory: boolean
}

/** Smallest margin at which an equal candidate is accepted four times in five: (z₁₋α + z₀.₈)·√(p_d/n). */
export function detectableMargin(cases: number, alpha: number, discordant = assumedDiscordant): number {
  return detectableDifference(discordant, cases, normalQuantile(1 - alpha) + normalQuantile(0.8))
}

/** Everything that a quote of a run group says. Pure. */
export function describeTuneQuote(facts: QuoteFacts): StoredTuneQuote {
  const { request, objective, frame, arms, knownDiscordant } = facts
  const alpha = groupAlpha(objective)
  const perCandidate = alpha / request.candidates.length
  const discordant = knownDiscordant ?? assumedDiscordant
  const total = (of: (quote: Quote) => string) => String(arms.reduce((sum, { quote }) => sum + BigInt(of(quote)), 0n))
  const upper = total(({ cost }) => cost.upper_bound_microusd)
  const base = {
    id: facts.id,
    session_id: facts.sessionId,
    created_at: facts.createdAt,
    expires_at: arms.map(({ quote }) => quote.expires_at).toSorted()[0] ?? facts.createdAt,
    mode: request.mode,
    compatibility: arms.every(({ quote }) => quote.compatibility.status === 'compatible')
      ? ('compatible' as const)
      : ('incompatible' as const),
    cases: frame.ordered.length,
    looks: [...frame.looks],
    margin: objective.margin,
    alpha,
    alpha_per_candidate: perCandidate,
    detectable_margin: {
      value: detectableMargin(frame.ordered.length, perCandidate, discordant),
      discordant,
      basis: knownDiscordant === null ? ('assumed' as const) : ('history' as const),
    },
    exploratory: facts.exploratory,
    max_charge_microusd: request.max_charge_microusd,
    max_provider_billed_microusd: request.max_provider_billed_microusd ?? null,
    optimize: plannedSearch(facts),
    warnings: warningsFor(request, arms, BigInt(upper)),
  }
  const fields = ({ label, effort, prompt, quote }: QuotedArm, i: number) => ({
    label,
    current: i === 0,
    model: quote.model,
    effort,
    prompt,
    compatibility: quote.compatibility,
    quote_id: quote.id,
  })
  if (arms.some(({ isAgent }) => isAgent))
    return {
      kind: 'agent',
      ...base,
      arms: arms.map((arm, i) => ({
        ...fields(arm, i),
        tasks: arm.quote.counts.tasks,
        turns: arm.isAgent ? null : 1,
        time_bound_ms: arm.timeBoundMs,
      })),
      provider_billed: 'unknown',
    }
  const bills = arms.map(({ quote }) => quote.cost.provider_billed_estimate_microusd)
  return {
    kind: 'model',
    ...base,
    arms: arms.map((arm, i) => ({ ...fields(arm, i), counts: arm.quote.counts, cost: arm.quote.cost })),
    estimated_charge_microusd: total(({ cost }) => cost.estimated_charge_microusd),
    upper_bound_microusd: upper,
    provider_billed_estimate_microusd: bills.includes(null) ? null : String(bills.reduce((sum, bill) => sum + BigInt(bill ?? 0), 0n)),
  }
}

function plannedSearch({ request, arms, trainingCases, reflection }: QuoteFacts): StoredTuneQuote['optimize'] {
  const [, first] = arms
  if (!request.optimize || !first || !reflection) return null
  const price = priceSearch(request.optimize, first.quote, reflection, BigInt(request.max_charge_microusd))
  return { ...request.optimize, training_cases: trainingCases, ...price }
}

function warningsFor(
  { max_charge_microusd: cap, max_provider_billed_microusd: billed }: NewTuneQuote,
  arms: readonly QuotedArm[],
  upper: bigint,
): StoredTuneQuote['warnings'] {
  const unpriced = arms.flatMap(({ quote }) => (quote.model.rates === null ? [quote.model.title] : []))
  const early = `The spending limit of ${formatUsd(cap)} may stop arms early: together they could cost up to ${formatUsd(String(upper))}.`
  const unknown = `No candidate can be recommended while rates are unknown: ${unpriced.join(', ')}. State the rates of the connections.`
  const dear = notCheaper(arms)
  const equal = `By their rates ${dear.join(', ')} cost no less per token than the current call, and can be recommended only where they take fewer tokens.`
  return [
    ...(BigInt(cap) < upper ? [{ code: 'cap_below_upper_bound', message: early }] : []),
    ...(unpriced.length > 0 ? [{ code: 'rates_unknown', message: unknown }] : []),
    ...(dear.length > 0 ? [{ code: 'not_cheaper', message: equal }] : []),
    ...(unpriced.length > 0 && billed !== undefined
      ? [{ code: 'provider_cap_unenforced', message: 'max_provider_billed_microusd cannot limit connections without rates.' }]
      : []),
  ]
}

/** Labels of the candidates whose rates are at least the current call's, for input and output alike. */
function notCheaper([current, ...candidates]: readonly QuotedArm[]): string[] {
  const today = current?.quote.model.rates
  return candidates.flatMap(({ label, quote: { model } }) => {
    if (!today || !model.rates) return []
    const isLess = (field: 'input_microusd_per_million' | 'output_microusd_per_million') =>
      BigInt(model.rates?.[field] ?? 0) < BigInt(today[field])
    return isLess('input_microusd_per_million') || isLess('output_microusd_per_million') ? [] : [label]
  })
}
