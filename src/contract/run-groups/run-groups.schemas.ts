import { z } from 'zod'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice, Quote, QuoteRequest } from '../quotes/quotes.schemas.ts'
import { Estimate } from '../runs/results.schemas.ts'
import { Run, RunScore } from '../runs/runs.schemas.ts'

/** One comparison takes as many runs. */
const mostRuns = 10

export const RunGroupQuoteRequest = QuoteRequest.omit({ model: true })
  .extend({ models: z.array(ModelChoice).min(1).max(mostRuns).describe('Each gets a quote of the same tasks, in this order.') })
  .meta({ id: 'RunGroupQuoteRequest' })

export const RunGroupQuote = named('RunGroupQuote', {
  quotes: z.array(Quote).describe('One for each model, in the order of the request. Each can be read and submitted alone.'),
  compatible: z.boolean().describe('Whether every quote is compatible, so that the group can be submitted.'),
  model_calls: z.int().min(0),
  estimated_charge_microusd: MicroUsd,
  upper_bound_microusd: MicroUsd,
  provider_billed_estimate_microusd: MicroUsd.nullable().describe('Null where the rates of a connection are unknown.'),
  expires_at: Timestamp,
})

const limits = {
  max_charge_microusd: MicroUsd.describe('Spending limit: most that its runs may charge to the wallet together.'),
  max_provider_billed_microusd: MicroUsd.nullable().describe(
    'Spending limit on what providers may bill for its runs together, judges and simulated users included; null: none.',
  ),
}

export const NewRunGroup = named('NewRunGroup', {
  name: Name,
  quote_ids: z.array(Uuid).min(1).max(mostRuns).describe('Reviewed quotes; each becomes a run.'),
  ...limits,
  max_provider_billed_microusd: limits.max_provider_billed_microusd
    .default(null)
    .describe('The same for what providers may bill, judges and simulated users included; null: each run keeps the limit of its quote.'),
})

export const GroupedRun = named('GroupedRun', {
  run: Run,
  scores: z
    .array(
      z.strictObject({
        ...RunScore.pick({ profile_id: true, metric: true }).shape,
        ...Estimate.pick({ n: true, mean: true, interval: true }).shape,
      }),
    )
    .describe('Primary metric of each profile: of the latest result, or so far, then without an interval.'),
})

const listed = { id: Uuid, name: Name, created_at: Timestamp }

export const RunGroupListItem = named('RunGroupListItem', { ...listed, run_ids: z.array(Uuid).describe('Without deleted runs.') })

export const RunGroup = named('RunGroup', {
  ...listed,
  ended: z.boolean().describe('Whether every run has ended.'),
  runs: z.array(GroupedRun).describe('In the order of the quotes, without deleted runs.'),
  ...limits,
  charged_microusd: MicroUsd,
  provider_billed_microusd: MicroUsd.nullable().describe('Null where the rates of a connection are unknown.'),
  comparison_id: Uuid.nullable().describe('The comparison of its latest results; null until one was made.'),
})

export type RunGroupQuoteRequest = z.infer<typeof RunGroupQuoteRequest>
export type RunGroupQuote = z.infer<typeof RunGroupQuote>
export type NewRunGroup = z.infer<typeof NewRunGroup>
export type GroupedRun = z.infer<typeof GroupedRun>
export type RunGroup = z.infer<typeof RunGroup>
