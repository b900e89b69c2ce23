import { z } from 'zod'
import { MicroUsd } from '../../../contract/primitives.ts'
import { describeQuote } from '../describe-quote.ts'
import { Model, modelChoice } from '../model-choice.ts'
import { defineTool } from '../tool.ts'

export const createQuote = defineTool({
  name: 'create_quote',
  title: 'Quote an evaluation',
  description:
    'Compatibility, cost and detectable difference of a model on profiles. Costs nothing. To compare models, keep profiles, sample_count and seed.',
  effect: 'write',
  calls: ['createQuote'],
  input: z.strictObject({
    model: Model,
    profile_ids: z.array(z.string().min(1).max(300)).min(1).max(50),
    sample_count: z.int().min(1).max(1_000_000).optional().describe('Tasks per profile; absent: all.'),
    seed: z.int().min(0).default(1).describe('Chooses tasks.'),
    epochs: z.int().min(1).max(100).default(1),
    max_charge_microusd: MicroUsd.default('0').describe('Limit of the wallet.'),
    max_provider_billed_microusd: MicroUsd.optional().describe('Limit of the provider’s bill.'),
    max_output_tokens: z.int().min(1).max(1_000_000).optional(),
    temperature: z.number().min(0).max(2).optional(),
    top_p: z.number().gt(0).max(1).optional(),
    model_seed: z.int().min(0).optional(),
  }),
  page: () => '/quotes/new',
  run: async (input, context) => {
    const quote = await context.call('createQuote', {
      body: {
        model: modelChoice(input.model),
        selection: { profile_ids: input.profile_ids },
        coverage:
          input.sample_count === undefined ? { mode: 'full' } : { mode: 'sample', sample_count: input.sample_count, seed: input.seed },
        max_charge_microusd: input.max_charge_microusd,
        execution: {
          epochs: input.epochs,
          temperature: input.temperature ?? null,
          top_p: input.top_p ?? null,
          model_seed: input.model_seed ?? null,
          max_output_tokens: input.max_output_tokens ?? null,
          max_provider_billed_microusd: input.max_provider_billed_microusd ?? null,
        },
      },
    })
    return describeQuote(quote, context)
  },
})
