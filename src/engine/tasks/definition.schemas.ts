import { z } from 'zod'
import { Generation, License, Metric, Runner } from '../../contract/catalog/benchmarks.schemas.ts'
import { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'

/** A ProfileDefinition as stored with its version. */
export const StoredProfile = z.object({
  key: z.string(),
  title: z.string(),
  summary: z.string(),
  split: z.enum(['test', 'canonical']),
  only: z.object({ by: z.string(), values: z.array(z.string()) }).optional(),
  systemPrompt: z.string().nullable(),
  introTemplate: z.string().optional(),
  promptTemplate: z.string(),
  shotTemplate: z.string().nullable(),
  shots: z.int(),
  shotsAs: z.literal('turns').optional(),
  shotsBy: z.string().optional(),
  generation: Generation,
  metrics: z.array(Metric),
  requires: z.array(z.string()),
  chanceLevel: z.number().nullable(),
  breakdowns: z.array(z.string()),
  environment: z
    .object({
      family: z.string(),
      protocol: z.enum(['text', 'native']),
      maxTurns: z.int(),
      world: z
        .object({ tools: WorldDefinition.shape.tools, limits: WorldDefinition.shape.limits, user_model: WorldDefinition.shape.user_model })
        .optional(),
    })
    .optional(),
  loglikelihood: z
    .object({ most: z.int(), letters: z.boolean().optional(), delimiter: z.string().optional(), unconditional: z.boolean().optional() })
    .optional(),
})

/** A BenchmarkDefinition as stored, without its profiles. */
export const StoredDefinition = z.object({
  slug: z.string(),
  provider: z.string(),
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  description: z.string(),
  howMade: z.string(),
  knownLimits: z.array(z.string()),
  runner: Runner,
  capabilities: z.array(z.string()),
  license: License,
  citation: z.string().nullable(),
  homepage: z.string().nullable(),
})
export type StoredDefinition = z.infer<typeof StoredDefinition>

export const StoredShots = z.array(z.object({ fields: z.record(z.string(), z.string()), group: z.string().optional() }))
