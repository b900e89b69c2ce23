import { z } from 'zod'
import { Rates } from '../catalog/models.schemas.ts'
import { ConnectionProtocol, ProbedCapability } from './connections.schemas.ts'

export const FoundModel = z.strictObject({
  model: z.string(),
  context_tokens: z.int().min(1).nullable().describe('As trained or as started; null where the runtime does not say.'),
  leaves_machine: z.boolean().describe('The runtime passes it on to a host elsewhere.'),
})
export type FoundModel = z.infer<typeof FoundModel>

/** A model server on this machine, recognised by what it answers. */
export const FoundRuntime = z
  .strictObject({
    title: z.string(),
    protocol: ConnectionProtocol,
    base_url: z.string(),
    needs_key: z.boolean(),
    models: z.array(FoundModel),
  })
  .meta({ id: 'FoundRuntime' })
export type FoundRuntime = z.infer<typeof FoundRuntime>

export const PresetModel = z.strictObject({
  model: z.string(),
  ...Rates.shape,
  context_tokens: z.int().min(1).nullable(),
  max_output_tokens: z.int().min(1).nullable(),
  as_of: z.string().describe('Year and month up to which the rates are known to hold.'),
})

/** What a connection to a well-known vendor or runtime is filled in with. */
export const ConnectionPreset = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    place: z.enum(['hosted', 'local']),
    protocol: ConnectionProtocol,
    base_url: z.string(),
    key: z.enum(['required', 'none']),
    probes: z.array(ProbedCapability),
    hint: z.string(),
    models: z.array(PresetModel).describe('Models with known rates; others can be named freely.'),
  })
  .meta({ id: 'ConnectionPreset' })
export type ConnectionPreset = z.infer<typeof ConnectionPreset>

export const ConnectionPresets = z
  .strictObject({ version: z.string().describe('Of the table, rates included.'), note: z.string(), presets: z.array(ConnectionPreset) })
  .meta({ id: 'ConnectionPresets' })
export type ConnectionPresets = z.infer<typeof ConnectionPresets>
