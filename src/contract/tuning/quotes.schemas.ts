import { z } from 'zod'
import { Effort } from '../catalog/models.schemas.ts'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { CompatibilityCheck, ModelChoice, ModelSnapshot, Quote } from '../quotes/quotes.schemas.ts'
import { TuneOptimize, TunePrompt } from './search.schemas.ts'

/** Label of the arm that the service adds for the call as it is today. */
export const currentLabel = 'current'
/** Run groups of one session. */
export const mostGroups = 20

export const TuneCandidate = named('TuneCandidate', {
  label: Name.max(100),
  model: ModelChoice,
  effort: Effort.nullable().default(null).describe('Null sends none; the provider’s default applies.'),
  prompt: TunePrompt.optional().describe('The prompt of the call when absent.'),
})

const terms = {
  candidates: z.array(TuneCandidate).min(1).max(12),
  mode: z.enum(['race', 'full']).default('race').describe('`full` runs every case on every arm and looks once.'),
  max_charge_microusd: MicroUsd.describe('Spending limit: total wallet charge of all arms.'),
  max_provider_billed_microusd: MicroUsd.optional().describe('Limit of provider billing for all arms together.'),
  optimize: TuneOptimize.optional().describe(
    'Searches prompts for the first candidate on a part of the cases before the race; at most three join it. The search spends at most half of each limit.',
  ),
}

export const NewTuneQuote = named('NewTuneQuote', terms)
export const TuneAuto = named('TuneAuto', terms)

const Compatibility = z.strictObject({ status: z.enum(['compatible', 'incompatible']), checks: z.array(CompatibilityCheck) })

const arm = {
  label: z.string(),
  current: z.boolean(),
  model: ModelSnapshot,
  effort: Effort.nullable(),
  prompt: TunePrompt.nullable().describe('Null: the prompt of the call.'),
  compatibility: Compatibility,
}

const quote = {
  id: Uuid,
  session_id: Uuid,
  status: z.enum(['open', 'expired', 'used']),
  created_at: Timestamp,
  expires_at: Timestamp,
  mode: z.enum(['race', 'full']),
  compatibility: z.enum(['compatible', 'incompatible']),
  cases: z.int().min(1),
  looks: z.array(z.int().min(1)).describe('Cases after each look.'),
  margin: z.number(),
  alpha: z.number().describe('One-sided error of the group: (1 - confidence) / planned groups.'),
  alpha_per_candidate: z.number().describe('Of the first acceptance: alpha / candidates.'),
  detectable_margin: z
    .strictObject({ value: z.number(), discordant: z.number(), basis: z.enum(['assumed', 'history']) })
    .describe('Smallest margin at which an equal candidate is accepted four times in five: (z₁₋α + z₀.₈)·√(p_d/n).'),
  exploratory: z.boolean().describe('Beyond the planned groups.'),
  max_charge_microusd: MicroUsd,
  max_provider_billed_microusd: MicroUsd.nullable(),
  optimize: TuneOptimize.extend({
    training_cases: z.int().min(1),
    estimated_charge_microusd: MicroUsd.nullable()
      .default(null)
      .describe('Of the search, beside the arms, if it makes all its calls; null where rates are unknown.'),
    provider_billed_estimate_microusd: MicroUsd.nullable().default(null),
  })
    .nullable()
    .default(null)
    .describe('The prompt search before the race; `cases` are those held out from it.'),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
}

export const TuneModelQuote = named('TuneModelQuote', {
  kind: z.literal('model'),
  ...quote,
  arms: z
    .array(z.strictObject({ ...arm, quote_id: Uuid, counts: Quote.shape.counts, cost: Quote.shape.cost }))
    .describe('The current call first.'),
  estimated_charge_microusd: MicroUsd.describe('If every arm ran every case.'),
  upper_bound_microusd: MicroUsd,
  provider_billed_estimate_microusd: MicroUsd.nullable(),
})

export const TuneAgentQuote = named('TuneAgentQuote', {
  kind: z.literal('agent'),
  ...quote,
  arms: z
    .array(
      z.strictObject({
        ...arm,
        quote_id: Uuid,
        tasks: z.int().min(1),
        turns: z.int().min(1).nullable().describe('Turns of a task at most; null where an agent decides.'),
        time_bound_ms: z.int().min(0).describe('Upper bound if every task used its whole timeout, with retries.'),
      }),
    )
    .describe('The current call first.'),
  provider_billed: z.literal('unknown'),
})

/** One run group: the current route at the call’s effort, and the candidates. */
export const TuneQuote = z.discriminatedUnion('kind', [TuneModelQuote, TuneAgentQuote]).meta({ id: 'TuneQuote' })

export type TuneCandidate = z.infer<typeof TuneCandidate>
export type NewTuneQuote = z.infer<typeof NewTuneQuote>
export type TuneQuote = z.infer<typeof TuneQuote>
