import { z } from 'zod'
import { MicroUsd, named } from '../primitives.ts'

/** Price per million tokens; decimal strings of micro-USD. Kinds of tokens without a rate of their own cost the rate of their side. */
export const Rates = named('Rates', {
  input_microusd_per_million: MicroUsd,
  output_microusd_per_million: MicroUsd.describe('Reasoning included, unless it has a rate of its own.'),
  cached_input_microusd_per_million: MicroUsd.optional().describe('Input read from the provider’s cache. Absent: the input rate.'),
  cache_write_microusd_per_million: MicroUsd.optional().describe('Input written to the provider’s cache. Absent: the input rate.'),
  image_input_microusd_per_million: MicroUsd.optional().describe('Image input. Absent: the input rate.'),
  audio_input_microusd_per_million: MicroUsd.optional().describe('Audio input. Absent: the input rate.'),
  reasoning_microusd_per_million: MicroUsd.optional().describe('Reasoning output. Absent: the output rate.'),
  audio_output_microusd_per_million: MicroUsd.optional().describe('Audio output. Absent: the output rate.'),
})
export type Rates = z.infer<typeof Rates>

/** Reasoning effort before the answer, in the terms of the providers. */
export const Effort = z
  .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])
  .describe('Reasoning effort; `none` switches reasoning off.')
export type Effort = z.infer<typeof Effort>

export const ModelLimits = named('ModelLimits', {
  context_tokens: z.int().min(1).nullable().describe('Null if unknown.'),
  max_output_tokens: z.int().min(1).nullable(),
  max_concurrency: z.int().min(1).max(1024),
  requests_per_minute: z.int().min(1).nullable(),
  tokens_per_minute: z.int().min(1).nullable(),
})

export const ModelRoute = named('ModelRoute', {
  route_id: z.string(),
  title: z.string(),
  provider: z.string(),
  model: z.string(),
  kind: z.enum(['baseline', 'local', 'hosted']),
  is_model: z.boolean().describe('False for baselines, which are references and not models.'),
  summary: z.string(),
  capabilities: z.array(z.string()),
  rates: Rates,
  efforts: z.array(Effort).describe('Supported reasoning efforts; empty when there are none.'),
  limits: ModelLimits,
  availability: z.strictObject({
    status: z
      .enum(['ready', 'unavailable', 'runner_unavailable'])
      .describe('`runner_unavailable`: the runtime of local models is not installed.'),
    reasons: z.array(z.string()),
  }),
})
export type ModelRoute = z.infer<typeof ModelRoute>

const bounds = z.strictObject({ min: z.int(), default: z.int(), max: z.int() })

export const ExecutionOptions = named('ExecutionOptions', {
  scoring_workers: z.int().min(1).describe('Threads that score outputs.'),
  concurrency: bounds.describe('Concurrent model calls per endpoint.'),
  attempts: bounds.describe('Attempts per sample before it counts as failed.'),
  attempt_timeout_ms: bounds,
  epochs: bounds.describe('Samples per task.'),
  sample_count: z.strictObject({ min: z.int(), max: z.int() }).describe('Tasks per profile in a sample.'),
  max_output_tokens: bounds,
  cache: z.strictObject({ available: z.boolean(), reason: z.string() }),
  efforts: z.array(Effort).describe('All reasoning efforts; each route or connection lists those it supports.'),
  sandboxes: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        language: z.enum(['python', 'javascript']).describe('Language of the code that it runs.'),
        available: z.boolean(),
        reason: z.string(),
      }),
    )
    .describe('Sandboxes available for model-written code on this machine.'),
})
export type ExecutionOptions = z.infer<typeof ExecutionOptions>
