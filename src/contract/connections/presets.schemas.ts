import { z } from 'zod'
import { Effort, Rates } from '../catalog/models.schemas.ts'
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
  context_tokens: z
    .int()
    .min(1)
    .nullable()
    .describe('Length up to which the rates apply. Where longer prompts cost more, this is less than the context length.'),
  max_output_tokens: z.int().min(1).nullable(),
  supports_temperature: z.boolean().describe('When false, temperature is omitted and the sample records that.'),
  efforts: z.array(Effort).nullable().describe('Reasoning efforts that it takes; null where only its protocol’s are known.'),
  source: z.url().describe('The page that the rates were read on.'),
  source_date: z.iso
    .date()
    .nullable()
    .describe('The date that the page gives of itself, or that it cannot be older than; null where it gives none.'),
  read: z.iso.date().describe('When it was read.'),
  note: z.string().nullable().describe('For whom the rates do not hold.'),
})

/** What a connection to a well-known vendor or runtime is filled in with. */
export const ConnectionPreset = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    provider: z.string().describe('As model routes name it.'),
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
