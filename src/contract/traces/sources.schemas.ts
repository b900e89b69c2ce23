import { z } from 'zod'
import { Cursor, named, Sha256, Uuid } from '../primitives.ts'
import { ProviderId, ResourceKind } from './integrations.schemas.ts'

const Path = z
  .string()
  .min(1)
  .max(1000)
  .describe('RFC 9535 JSONPath that selects one value; several are taken as a list. Example: `$.inputs.question`.')

/** Paths of an example's fields; absent fields use the source's default path. */
export const ExampleMapping = named('ExampleMapping', { input: Path.optional(), output: Path.optional(), expected: Path.optional() })
export type ExampleMapping = z.infer<typeof ExampleMapping>

export const WorkloadSourceBody = named('WorkloadSourceBody', {
  integration_id: Uuid,
  kind: ResourceKind,
  resource_id: ProviderId,
  cursor: Cursor.optional().describe('`next_cursor` of the previous page.'),
  limit: z.int().min(1).max(100).default(100),
  version: z.string().min(1).max(200).optional().describe('The provider’s version to read; default: the newest, pinned by the first page.'),
  mapping: ExampleMapping.optional().describe('Paths into the provider’s item.'),
})

export const WorkloadSource = named('WorkloadSource', {
  source: z.strictObject({
    id: Uuid,
    version: z.string().describe('The provider’s version that all pages of this import read.'),
    digest: Sha256.describe('Over all items of this source that are in the dataset: the same items give the same digest.'),
    created: z.int().min(0),
    revised: z.int().min(0),
    unchanged: z.int().min(0),
    skipped: z.array(z.strictObject({ provider_id: z.string(), reason: z.string() })),
  }),
  next_cursor: Cursor.nullable(),
})

export const TraceSourceBody = named('TraceSourceBody', {
  trace_ids: z.array(Uuid).min(1).max(100),
  mapping: ExampleMapping.optional().describe('Paths into the trace as `GET /v1/traces/{trace_id}` answers it.'),
  dry_run: z.boolean().default(false).describe('Returns what would be added without adding it.'),
})

export const TraceSourceResult = named('TraceSourceResult', {
  created: z.int().min(0),
  duplicates: z.int().min(0),
  skipped: z.array(z.strictObject({ trace_id: Uuid, reason: z.string() })),
  examples: z
    .array(
      z.strictObject({
        trace_id: Uuid,
        input: z.unknown(),
        output: z.string().nullable(),
        expected: z.unknown(),
      }),
    )
    .describe('Added or previewed examples; `expected` is null without a path for it.'),
})

export type WorkloadSourceBody = z.infer<typeof WorkloadSourceBody>
export type WorkloadSource = z.infer<typeof WorkloadSource>
export type TraceSourceBody = z.infer<typeof TraceSourceBody>
export type TraceSourceResult = z.infer<typeof TraceSourceResult>
