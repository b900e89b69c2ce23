import { z } from 'zod'
import { named, Uuid } from '../primitives.ts'
import { BenchmarkStatus, BenchmarkVersion, License, Profile, QuoteAvailability, Runner } from './benchmarks.schemas.ts'

export const EnvironmentTool = named('EnvironmentTool', {
  name: z.string(),
  description: z.string(),
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      type: z.string().describe('JSON type.'),
      description: z.string(),
      values: z.array(z.string()).nullable().describe('Allowed values; null if any value is allowed.'),
    }),
  ),
  schema: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('JSON Schema of the arguments, for environments of the workspace; null for bundled ones.'),
})

const environmentFields = {
  id: Uuid,
  family: z.string(),
  title: z.string(),
  summary: z.string(),
  status: BenchmarkStatus,
  runner: Runner,
  capabilities: z.array(z.string()),
  license: License,
  tool_names: z.array(z.string()),
  max_turns: z.int().min(1).describe('Max model turns per task; each is one call.'),
  latest_version: BenchmarkVersion,
  quote_availability: QuoteAvailability.describe('Best availability among its profiles.'),
  profile_ids: z.array(z.string()),
}

/** A family of multi-turn tasks that are solved with tools in a simulated world. */
export const Environment = named('Environment', environmentFields)
export type Environment = z.infer<typeof Environment>

export const EnvironmentDetail = named('EnvironmentDetail', {
  ...environmentFields,
  description: z.string().describe('What it measures.'),
  how_made: z.string(),
  known_limits: z.array(z.string()),
  tools: z.array(EnvironmentTool),
  versions: z.array(BenchmarkVersion).describe('Newest first. Their tasks are selected like those of a benchmark, by source ref.'),
  profiles: z.array(Profile).describe('Profiles of the latest version first.'),
})
export type EnvironmentDetail = z.infer<typeof EnvironmentDetail>
