import { z } from 'zod'
import { MicroUsd, Uuid } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'

export const createQuote = defineTool({
  name: 'create_quote',
  title: 'Quote an evaluation',
  description:
    'Compatibility, cost and minimum detectable difference of running a model on profiles. Costs nothing. To compare models, quote each with the same profiles, sample_count and seed.',
  effect: 'write',
  input: z.strictObject({
    model: z.string().min(1).max(200).describe('As in list_models: a route id or the id of a connection.'),
    profile_ids: z.array(z.string().min(1).max(300)).min(1).max(50),
    sample_count: z.int().min(1).max(1_000_000).optional().describe('Tasks per profile; all of them when absent.'),
    seed: z.int().min(0).default(1).describe('Which tasks; a smaller sample is inside a larger one.'),
    epochs: z.int().min(1).max(100).default(1),
    max_charge_microusd: MicroUsd.default('0').describe('Spending limit: the most that the run may charge the wallet.'),
    max_provider_billed_microusd: MicroUsd.optional().describe('Spending limit on what a connection’s provider may bill.'),
    max_output_tokens: z.int().min(1).max(1_000_000).optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
  page: () => '/quotes/new',
  run: async (input, { call, pageUrl }) => {
    const quote = await call('createQuote', {
      body: {
        model: Uuid.safeParse(input.model).success
          ? { kind: 'connection', connection_id: input.model }
          : { kind: 'managed', route_id: input.model },
        selection: { profile_ids: input.profile_ids },
        coverage:
          input.sample_count === undefined ? { mode: 'full' } : { mode: 'sample', sample_count: input.sample_count, seed: input.seed },
        max_charge_microusd: input.max_charge_microusd,
        execution: {
          epochs: input.epochs,
          temperature: input.temperature ?? null,
          max_output_tokens: input.max_output_tokens ?? null,
          max_provider_billed_microusd: input.max_provider_billed_microusd ?? null,
        },
      },
    })
    const { cost, counts } = quote
    return {
      quote_id: quote.id,
      expires_at: quote.expires_at,
      model: quote.model.title,
      compatible: quote.compatibility.status === 'compatible',
      problems: quote.compatibility.checks
        .filter(({ status }) => status !== 'pass')
        .map(({ check, status, detail }) => ({ check, status, detail })),
      samples: counts.samples,
      model_calls: counts.model_calls,
      cost_microusd: {
        estimated: cost.estimated_charge_microusd,
        upper_bound: cost.upper_bound_microusd,
        cap: cost.max_charge_microusd,
        provider_estimated: cost.provider_billed_estimate_microusd,
        provider_upper_bound: cost.provider_billed_upper_bound_microusd,
      },
      detects: quote.statistics.map(({ profile_id: profile, n, minimum_detectable_difference: difference }) => ({
        profile_id: profile,
        n,
        minimum_detectable_difference: difference,
      })),
      // Several profiles may have the same.
      warnings: [...new Map(quote.warnings.map(({ code, message }) => [message, { code, message }])).values()],
      page: pageUrl(`/quotes/${quote.id}`),
    }
  },
})
