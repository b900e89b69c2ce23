import { z } from 'zod'
import { Cursor, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { traceIntegrationMachine } from './trace-integration.machine.ts'

/** The three provider slots of the interface; which provider serves a slot is configuration. */
export const ProviderSlot = z.enum(['provider-a', 'provider-b', 'provider-c'])
export type ProviderSlot = z.infer<typeof ProviderSlot>

/** Longest id that any of the providers uses, with room for our own encoding of two of them. */
export const ProviderId = z.string().min(1).max(300)

const Address = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address such as https://cloud.langfuse.com' })
  .max(2000)
  .describe('Origin, and the base path of a self-hosted installation if it has one. Must not contain credentials.')

const Secret = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without blanks')
  .describe('Write-only. Stored encrypted, sent to this address only, never returned.')

const AllowPrivate = z
  .boolean()
  .default(false)
  .describe('Allows an address of a private network. Only a signed-in owner or admin may set it; this machine is always allowed.')

const keyPair = { host: Address, public_key: Secret, secret_key: Secret, allow_private: AllowPrivate }
const accessKey = {
  access_key: Secret,
  base_url: Address.optional().describe('Default: the provider’s cloud.'),
  allow_private: AllowPrivate,
}
const cursor = Cursor.optional()

export const KeyPairBody = named('TraceKeyPairBody', keyPair)
export const KeyPairDiscoveryBody = named('TraceKeyPairDiscoveryBody', { ...keyPair, cursor })
export const KeyPairConnectBody = named('TraceKeyPairConnectBody', {
  ...keyPair,
  project_id: ProviderId.optional().describe('Required if the key can read several projects.'),
  name: Name.optional().describe('Default: the project’s name.'),
})

export const AccessKeyBody = named('TraceAccessKeyBody', accessKey)
export const AccessKeyDiscoveryBody = named('TraceAccessKeyDiscoveryBody', { ...accessKey, cursor })
export const AccessKeyConnectBody = named('TraceAccessKeyConnectBody', {
  ...accessKey,
  project_id: ProviderId,
  name: Name.optional().describe('Default: the project’s name.'),
})

export const ProviderProject = z.strictObject({
  id: z.string().describe('Opaque; pass it on as `project_id`.'),
  name: z.string(),
  kind: z.literal('project'),
  workspace: z.string().optional().describe('The provider’s workspace or organization that the project belongs to.'),
})
export const ProviderProjects = named('ProviderProjects', { items: z.array(ProviderProject), next_cursor: Cursor.nullable() })

export const ResourceKind = z.enum(['dataset', 'experiment'])
export type ResourceKind = z.infer<typeof ResourceKind>

export const ProviderResource = z.strictObject({
  id: z.string(),
  kind: ResourceKind,
  name: z.string(),
  description: z.string().nullable(),
  item_count: z.int().min(0).nullable().describe('Null where the provider does not say.'),
  version: z.string().nullable().describe('Version that an import pins, if the provider states it in its list.'),
  dataset_id: z.string().optional().describe('For an experiment: the provider’s dataset that it ran on.'),
  created_at: Timestamp.nullable(),
})
export const ProviderResources = named('ProviderResources', { items: z.array(ProviderResource), next_cursor: Cursor.nullable() })

const Instant = z.iso.datetime({ offset: true, error: 'must be an RFC 3339 time such as 2026-11-01T00:00:00Z' })

export const BackfillBody = named('TraceBackfillBody', {
  from: Instant.describe('Earliest start time, inclusive.'),
  to: Instant.optional().describe('Latest start time, exclusive; default: now.'),
  max_traces: z.int().min(1).max(10_000_000).optional().describe('Stop after this many traces.'),
  only_roots: z.boolean().default(false).describe('Read the first span of each trace only.'),
  follow: z
    .boolean()
    .default(false)
    .describe('Continues every 15 minutes, from 30 minutes before the last window’s end, because spans arrive late.'),
})

export const Backfill = z.strictObject({
  from: Timestamp,
  to: Timestamp,
  max_traces: z.int().nullable(),
  only_roots: z.boolean(),
  follow: z.boolean(),
  pages: z.int().min(0),
  traces: z.int().min(0).describe('Traces read.'),
  spans: z.int().min(0).describe('Spans read.'),
  new_traces: z.int().min(0).describe('Traces not stored before.'),
  new_spans: z.int().min(0).describe('New or changed spans.'),
  fraction: z.number().min(0).max(1).nullable().describe('Fraction of the window read; null if the provider does not page by time.'),
  started_at: Timestamp,
  finished_at: Timestamp.nullable(),
  retry_at: Timestamp.nullable().describe('When reading continues after throttling. Pause and resume to continue immediately.'),
})

export const TraceIntegration = named('TraceIntegration', {
  id: Uuid,
  provider: ProviderSlot,
  provider_name: z.string(),
  name: z.string(),
  project: z.strictObject({ id: z.string(), name: z.string(), workspace: z.string().optional() }),
  base_url: z.string(),
  status: z.enum(traceIntegrationMachine.states),
  credential_hint: z.string().nullable().describe('Last four characters of the secret; null once it is erased.'),
  backfill: Backfill.nullable().describe('Last or current backfill.'),
  last_error: z.strictObject({ code: z.string(), message: z.string(), at: Timestamp }).nullable(),
  deprecation: z
    .strictObject({ message: z.string(), sunset_at: Timestamp.nullable() })
    .nullable()
    .describe('Deprecation that the provider announced for a used endpoint.'),
  job_id: Uuid.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type ProviderProject = z.infer<typeof ProviderProject>
export type ProviderProjects = z.infer<typeof ProviderProjects>
export type ProviderResource = z.infer<typeof ProviderResource>
export type ProviderResources = z.infer<typeof ProviderResources>
export type Backfill = z.infer<typeof Backfill>
export type BackfillBody = z.infer<typeof BackfillBody>
export type TraceIntegration = z.infer<typeof TraceIntegration>
export type KeyPairBody = z.infer<typeof KeyPairBody>
export type AccessKeyBody = z.infer<typeof AccessKeyBody>
