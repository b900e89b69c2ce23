import { z } from 'zod'
import { TaskMetadata } from '../catalog/tasks.schemas.ts'
import { MicroUsd } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'

export const RecommendationRequest = z
  .strictObject({
    objective: z.string().trim().min(3).max(2000).describe('What the evaluation is to find out, in words.'),
    models: z
      .array(z.union([z.string().min(1).max(200), ModelChoice]))
      .max(20)
      .default([])
      .describe(
        'Models that are to be evaluated: a route id, a connection id, or a model as a quote takes it. Their own past results take no part in choosing tasks. Without any, all past results do, and there are no costs.',
      ),
    task_limit: z.int().min(1).max(1000).describe('Tasks at most, required dependencies included.'),
    budget_microusd: MicroUsd.optional().describe(
      'Guidance by what like tasks have cost so far, for one pass of every model. Not a price and not a cap.',
    ),
  })
  .meta({ id: 'RecommendationRequest' })

export const RecommendedTask = z
  .strictObject({
    ...TaskMetadata.shape,
    relevance: z.number().min(0).max(1).describe('How well its text fits the objective, 1 for the best of all.'),
    separation: z
      .number()
      .min(-1)
      .max(1)
      .nullable()
      .describe(
        'How well past results on it tell better models from worse, without the models that are to be evaluated: mean over pairs of models of the gap in the direction of their scores on the other tasks, shrunk by (m − 1) / (m + 1) for m models. Null below two models.',
      ),
    required_by: z.string().nullable().describe('The task that depends on it, where that is why it is here.'),
    reason: z.string(),
  })
  .meta({ id: 'RecommendedTask' })

export const Recommendation = z
  .strictObject({
    objective: z.string(),
    terms: z.array(z.string()).describe('Words that were looked for.'),
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
            'What a pass of the models over these tasks would have cost by past token counts; null without history or rates.',
          ),
          reasons: z.array(z.string()),
        }),
      )
      .describe('What each selection is made of, in their order.'),
    informed_by: z
      .array(z.string())
      .describe(
        'Models whose past results took part in choosing. A score of one of them on these tasks carries the caution `selected_on_own_results`.',
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
  .meta({ id: 'Recommendation' })

export type RecommendationRequest = z.infer<typeof RecommendationRequest>
export type Recommendation = z.infer<typeof Recommendation>
export type RecommendedTask = z.infer<typeof RecommendedTask>
