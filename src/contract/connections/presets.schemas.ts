import { z } from 'zod'
import { Effort, Rates } from '../catalog/models.schemas.ts'
import { ConnectionProtocol, ProbedCapability } from './connections.schemas.ts'
import { named } from '../primitives.ts'

export const FoundModel = z.strictObject({
  model: z.string(),
  context_tokens: z.int().min(1).nullable().describe('Context length as trained or configured; null if the runtime does not state it.'),
  leaves_machine: z.boolean().describe('Whether the runtime forwards requests to a remote host.'),
})
export type FoundModel = z.infer<typeof FoundModel>

/** A model server on this machine, identified by its responses. */
export const FoundRuntime = named('FoundRuntime', {
  title: z.string(),
  protocol: ConnectionProtocol,
  base_url: z.string(),
  needs_key: z.boolean(),
  models: z.array(FoundModel),
})
export type FoundRuntime = z.infer<typeof FoundRuntime>

export const PresetModel = z.strictObject({
  model: z.string(),
  ...Rates.shape,
  context_tokens: z
    .int()
    .min(1)
    .nullable()
    .describe('Prompt length up to which the rates apply. Less than the context length if longer prompts cost more.'),
  max_output_tokens: z.int().min(1).nullable(),
  supports_temperature: z.boolean().describe('When false, temperature is omitted and the sample records that.'),
  efforts: z.array(Effort).nullable().describe('Supported reasoning efforts; null if only those of its protocol are known.'),
  source: z.url().describe('Page that states the rates.'),
  source_date: z.iso.date().nullable().describe('Date stated by the page, or the earliest it can be; null if unknown.'),
  read: z.iso.date().describe('Date on which the page was read.'),
  cache_source: z
    .strictObject({ source: z.url(), source_date: z.iso.date().nullable(), read: z.iso.date() })
    .nullable()
    .describe('Page that states the rates of cached and cache-written input, with its dates; null if they are unknown.'),
  note: z.string().nullable().describe('Exceptions to which the rates do not apply.'),
})

/** Preset for a connection to a well-known vendor or runtime. */
export const ConnectionPreset = named('ConnectionPreset', {
  id: z.string(),
  title: z.string(),
  provider: z.string().describe('Provider name in model routes.'),
  place: z.enum(['hosted', 'local']),
  protocol: ConnectionProtocol,
  base_url: z.string(),
  key: z.enum(['required', 'none']),
  probes: z.array(ProbedCapability),
  hint: z.string(),
  models: z.array(PresetModel).describe('Models with known rates; others can be named freely.'),
})
export type ConnectionPreset = z.infer<typeof ConnectionPreset>

export const ConnectionPresets = named('ConnectionPresets', {
  version: z.string().describe('Version of the table, including rates.'),
  note: z.string(),
  presets: z.array(ConnectionPreset),
})
export type ConnectionPresets = z.infer<typeof ConnectionPresets>
