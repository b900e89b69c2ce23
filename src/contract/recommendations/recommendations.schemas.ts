import { z } from 'zod'
import { TaskMetadata } from '../catalog/tasks.schemas.ts'
import { MicroUsd, named } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'

export const RecommendationRequest = named('RecommendationRequest', {
  objective: z.string().trim().min(3).max(2000).describe('Question that the evaluation should answer.'),
  models: z
    .array(z.union([z.string().min(1).max(200), ModelChoice]))
    .max(20)
    .default([])
    .describe(
      'Models to evaluate: a route id, a connection id, or a model as in a quote. Their past results are not used to choose tasks. When empty, all past results are used and no costs are given.',
    ),
  task_limit: z.int().min(1).max(1000).describe('Max tasks, including required dependencies.'),
  budget_microusd: MicroUsd.optional().describe(
    'Cost guidance from past costs of similar tasks, for one pass of every model. Neither a price nor a spending limit.',
  ),
})

export const RecommendedTask = named('RecommendedTask', {
  ...TaskMetadata.shape,
  relevance: z.number().min(0).max(1).describe('Relevance of its text to the objective; 1 for the best match.'),
  separation: z
    .number()
    .min(-1)
    .max(1)
    .nullable()
    .describe(
      'Discrimination: how well past results separate better models from worse, excluding the models to evaluate. Mean over pairs of models of the gap in the direction of their scores on the other tasks, shrunk by (m − 1) / (m + 1) for m models. Null below two models.',
    ),
  required_by: z.string().nullable().describe('Task that depends on it, if included as a dependency.'),
  reason: z.string(),
})

export const Recommendation = named('Recommendation', {
  objective: z.string(),
  terms: z.array(z.string()).describe('Search terms used.'),
  selections: z
    .array(z.strictObject({ source_ref: z.string(), split: z.enum(['test', 'canonical']), task_ids: z.array(z.string()) }))
    .describe('The `task_selections` of a suite or an evaluation, to be sent as they are.'),
  sources: z
    .array(
      z.strictObject({
        source_ref: z.string(),
        split: z.enum(['test', 'canonical']),
        slug: z.string(),
        title: z.string(),
        profile_id: z.string().describe('The profile that an evaluation would use.'),
        tasks_available: z.int(),
        capabilities: z.array(z.string()),
        tasks: z.array(RecommendedTask).describe('In the order of `task_ids`.'),
        historical_cost_microusd: MicroUsd.nullable().describe(
          'Cost of one pass of the models over these tasks by past token counts; null without history or rates.',
        ),
        reasons: z.array(z.string()),
      }),
    )
    .describe('Details of each selection, in the same order.'),
  informed_by: z
    .array(z.string())
    .describe(
      'Models whose past results were used to choose tasks. A score of one of them on these tasks carries the caution `selected_on_own_results`.',
    ),
  tasks: z.int().min(0),
  historical_cost_microusd: MicroUsd.nullable(),
  uncovered_capabilities: z.array(z.strictObject({ capability: z.string(), reason: z.string() })),
  exclusions: z.array(
    z.strictObject({
      subject: z.string().describe('A benchmark’s slug, or `source_ref#task_id`.'),
      code: z.string(),
      reason: z.string(),
    }),
  ),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
})

export type RecommendationRequest = z.infer<typeof RecommendationRequest>
export type Recommendation = z.infer<typeof Recommendation>
export type RecommendedTask = z.infer<typeof RecommendedTask>
