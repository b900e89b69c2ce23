import { z } from 'zod'
import { MicroUsd } from '../primitives.ts'

/** What a million tokens cost; decimal strings of micro-USD. */
export const Rates = z
  .strictObject({
    input_microusd_per_million: MicroUsd,
    output_microusd_per_million: MicroUsd,
  })
  .meta({ id: 'Rates' })
export type Rates = z.infer<typeof Rates>

export const ModelLimits = z
  .strictObject({
    context_tokens: z.int().min(1).nullable().describe('Null: not known.'),
    max_output_tokens: z.int().min(1).nullable(),
    max_concurrency: z.int().min(1).max(1024),
    requests_per_minute: z.int().min(1).nullable(),
    tokens_per_minute: z.int().min(1).nullable(),
  })
  .meta({ id: 'ModelLimits' })

export const ModelRoute = z
  .strictObject({
    route_id: z.string(),
    title: z.string(),
    provider: z.string(),
    model: z.string(),
    kind: z.enum(['baseline', 'local', 'hosted']),
    is_model: z.boolean().describe('False for baselines: they show what a score means and are marked in every listing and report.'),
    summary: z.string(),
    capabilities: z.array(z.string()),
    rates: Rates,
    limits: ModelLimits,
    availability: z.strictObject({ status: z.enum(['ready', 'unavailable']), reasons: z.array(z.string()) }),
  })
  .meta({ id: 'ModelRoute' })
export type ModelRoute = z.infer<typeof ModelRoute>

const bounds = z.strictObject({ min: z.int(), default: z.int(), max: z.int() })

export const ExecutionOptions = z
  .strictObject({
    scoring_workers: z.int().min(1).describe('Threads that score outputs.'),
    concurrency: bounds.describe('Model calls at a time, per endpoint.'),
    attempts: bounds.describe('Tries at one sample before it counts as failed.'),
    attempt_timeout_ms: bounds,
    epochs: bounds.describe('Samples per task.'),
    sample_count: z.strictObject({ min: z.int(), max: z.int() }).describe('Tasks per profile in a sample.'),
    max_output_tokens: bounds,
    cache: z.strictObject({ available: z.boolean(), reason: z.string() }),
    efforts: z.array(z.string()).describe('Reasoning efforts that a model may be asked for.'),
    sandboxes: z
      .array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          language: z.enum(['python', 'javascript']).describe('Of the code that it runs.'),
          available: z.boolean(),
          reason: z.string(),
        }),
      )
      .describe('Where model-written code could run on this machine.'),
  })
  .meta({ id: 'ExecutionOptions' })
export type ExecutionOptions = z.infer<typeof ExecutionOptions>
