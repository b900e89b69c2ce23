import { z } from 'zod'
import { Effort } from '../catalog/models.schemas.ts'
import { MicroUsd, named, Timestamp, Uuid } from '../primitives.ts'
import { ModelChoice } from '../quotes/quotes.schemas.ts'

/** Found prompts that join a race. */
export const mostFoundPrompts = 3

export const TunePrompt = named('TunePrompt', {
  system_prompt: z.string().max(100_000).nullable().default(null),
  prompt_template: z.string().min(1).max(100_000).describe('Must contain `{input}`.'),
})

export const TuneOptimize = named('TuneOptimize', {
  reflection_model: ModelChoice.describe('Proposes prompts after reading failures and their grades.'),
  reflection_effort: Effort.nullable().default(null),
  train_share: z
    .number()
    .min(0.1)
    .max(0.8)
    .default(0.4)
    .describe('Share of the cases that the search may use, in whole clusters. The race sees only the rest.'),
  max_calls: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe('Model calls of the search, proposals included; retries of failed calls are not counted.'),
})

const Share = z.strictObject({ n: z.int().min(0), mean: z.number().nullable() })

export const TuneSearchPrompt = named('TuneSearchPrompt', {
  number: z.int().min(0).describe('0: the prompt that the search began with.'),
  prompt: TunePrompt.nullable().describe('Null: the prompt of the call, or an unusable proposal.'),
  parent: z.int().min(0).nullable(),
  outcome: z.enum(['start', 'kept', 'not_better', 'unusable']),
  detail: z.string().describe('Outcome as text.'),
  training: Share.nullable().describe('Mean score on all training cases; null if it was not run on them.'),
  training_run_id: Uuid.nullable(),
  races: z.boolean().describe('Whether it became a candidate.'),
})

export const TuneSearch = named('TuneSearch', {
  id: Uuid,
  quote_id: Uuid,
  status: z.enum(['running', 'complete', 'failed', 'cancelled']),
  candidate: z.string().describe('Label of the candidate whose model and effort the prompts are searched for: the first.'),
  training_cases: z.int().min(1),
  held_out_cases: z.int().min(1),
  calls: z.int().min(0),
  max_calls: z.int().min(1),
  charged_microusd: MicroUsd.describe('Charged to the wallet by the search.'),
  prompts: z.array(TuneSearchPrompt).describe('In the order in which they were tried.'),
  job_id: Uuid,
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
})

export type TunePrompt = z.infer<typeof TunePrompt>
export type TuneOptimize = z.infer<typeof TuneOptimize>
export type TuneSearch = z.infer<typeof TuneSearch>
