import { z } from 'zod'
import { MicroUsd } from '../../../contract/primitives.ts'
import { describeQuote } from '../describe-quote.ts'
import { Model, modelChoice } from '../model-choice.ts'
import { defineTool } from '../tool.ts'

export const createQuote = defineTool({
  name: 'create_quote',
  title: 'Quote an evaluation',
  description:
    'Compatibility, cost and minimum detectable difference of running a model on profiles. Costs nothing. To compare models, quote each with the same profiles, sample_count and seed.',
  effect: 'write',
  calls: ['createQuote'],
  input: z.strictObject({
    model: Model,
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
          max_output_tokens: input.max_output_tokens ?? null,
          max_provider_billed_microusd: input.max_provider_billed_microusd ?? null,
        },
      },
    })
    return describeQuote(quote, context)
  },
})
