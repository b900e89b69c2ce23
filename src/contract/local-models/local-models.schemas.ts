import { z } from 'zod'
import { credentialsFault, hasNoCredentials, named, Sha256, Timestamp, Uuid } from '../primitives.ts'

const Bytes = z.int().min(0)

/** What llama.cpp computes on. */
export const RuntimeBackend = z.enum(['cpu', 'metal', 'vulkan', 'cuda']).meta({ id: 'RuntimeBackend' })
export type RuntimeBackend = z.infer<typeof RuntimeBackend>

export const LocalRuntime = named('LocalRuntime', {
  version: z.string().describe('Version of node-llama-cpp that this Assay installs and uses.'),
  status: z.enum(['not_installed', 'installing', 'ready']),
  backend: RuntimeBackend.nullable().describe('Null while none is installed.'),
  installed_at: Timestamp.nullable(),
  host: z
    .string()
    .nullable()
    .describe(
      'Where an install downloads from: the registry that npm is configured for. Null: npm is not installed and none is configured.',
    ),
  options: z
    .array(z.strictObject({ backend: RuntimeBackend, download_bytes: Bytes, unpacked_bytes: Bytes }))
    .describe('Backends built for this machine; empty where there is none.'),
  job_id: Uuid.nullable().describe('The latest install; null when there was none.'),
  problem: z.string().nullable().describe('Why the latest install failed and what to do; null when it did not.'),
})
export type LocalRuntime = z.infer<typeof LocalRuntime>

const path = z.string().min(1).max(4096)

export const RuntimeInstall = z
  .strictObject({
    backend: RuntimeBackend.default('cpu'),
    from: path.nullable().default(null).describe('Folder with the tarballs, as `npm pack` names them; null downloads them.'),
    registry: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .refine(hasNoCredentials, credentialsFault)
      .nullable()
      .default(null)
      .describe('Address of an npm registry to download from; null takes the one that npm is configured for.'),
  })
  .refine(({ from, registry }) => from === null || registry === null, { path: ['registry'], message: 'has no place beside `from`' })
  .meta({ id: 'RuntimeInstall' })
export type RuntimeInstall = z.infer<typeof RuntimeInstall>

/** A program that keeps GGUF files, or where a person said that they are. */
export const ModelLocation = z
  .enum(['added', 'lm_studio', 'hugging_face', 'llama_cpp', 'ollama', 'jan', 'gpt4all'])
  .meta({ id: 'ModelLocation' })
export type ModelLocation = z.infer<typeof ModelLocation>

/** What a model needs to run, against what this machine has. */
export const MemoryFit = named('MemoryFit', {
  status: z
    .enum(['yes', 'slow', 'no'])
    .describe('`slow`: it fits only if other programs give memory back, or parts are read from the disk again and again.'),
  needed_bytes: Bytes.describe('Weights and the key-value cache for the context length.'),
  free_bytes: Bytes,
  context_tokens: z.int().min(1).describe('Context length that it would be loaded with.'),
})
export type MemoryFit = z.infer<typeof MemoryFit>

/** A model in the memory of this machine. */
export const LoadedModel = named('LoadedModel', {
  state: z.enum(['loading', 'ready']),
  progress: z.number().min(0).max(1).describe('Of loading.'),
  calls: z.int().min(0).describe('Being computed or waiting.'),
  backend: z.string().nullable(),
  devices: z.array(z.string()),
  threads: z.int().nullable(),
  memory_bytes: Bytes.nullable().describe('Of its process; null until it is loaded.'),
  prompt_tokens_per_second: z.number().nullable().describe('Since it was loaded; null before the first prompt.'),
  generated_tokens_per_second: z.number().nullable(),
})
export type LoadedModel = z.infer<typeof LoadedModel>

export const LocalModel = named('LocalModel', {
  name: z.string(),
  path: z.string().describe('First file where the model is split.'),
  location: ModelLocation,
  architecture: z.string(),
  parameters: z.int().min(0).nullable(),
  quantization: z.string().nullable(),
  trained_context_tokens: z.int().min(1).nullable(),
  chat_template: z.boolean().describe('Without one, prompts are continued as plain text.'),
  size_bytes: Bytes,
  files: z.int().min(1),
  fit: MemoryFit,
  sha256: Sha256.nullable().describe('Identity; of a split model over the digests of its parts. Null until it was computed.'),
  route_id: z.string().nullable().describe('For quotes; null until the identity is known.'),
  job_id: Uuid.nullable().describe('Computes the identity.'),
  problem: z.string().nullable().describe('Why the model cannot be used and what to do.'),
  loaded: LoadedModel.nullable(),
})
export type LocalModel = z.infer<typeof LocalModel>

export const LocalModelFolder = named('LocalModelFolder', {
  id: Uuid.nullable().describe('Null for folders of well-known programs.'),
  path: z.string(),
  location: ModelLocation,
  models: z.int().min(0),
  problem: z.string().nullable(),
})
export type LocalModelFolder = z.infer<typeof LocalModelFolder>

export const LocalModelSettings = named('LocalModelSettings', {
  context_tokens: z
    .int()
    .min(256)
    .max(1_048_576)
    .describe('Context length that models are loaded with, or what they were trained for if that is less.'),
  parallel: z.int().min(1).max(32).describe('Requests that one model computes together.'),
  idle_minutes: z.int().min(1).max(1440).describe('Minutes without a request after which a model leaves memory.'),
  cache_type: z
    .enum(['f32', 'f16'])
    .describe('Precision of keys and values: `f16` takes half the memory and moves log-likelihoods by up to 0.003 a token.'),
  threads: z.int().min(1).max(256).nullable().describe('Null: one less than the machine has.'),
})
export type LocalModelSettings = z.infer<typeof LocalModelSettings>

export const LocalModels = named('LocalModels', {
  items: z.array(LocalModel),
  others: z
    .array(
      z.strictObject({
        path: z.string(),
        kind: z.enum(['projector', 'adapter', 'vocabulary', 'embedding', 'unreadable']),
        reason: z.string(),
      }),
    )
    .describe('GGUF files that are no model to run, and why.'),
  folders: z.array(LocalModelFolder).describe('Added folders, and those of well-known programs that exist.'),
  unread: z.int().min(0).describe('Files whose header is still to be read; call again.'),
  settings: LocalModelSettings,
  runtime: LocalRuntime,
})
export type LocalModels = z.infer<typeof LocalModels>

/** An absolute path on the machine of the service. */
export const LocalPath = z.strictObject({ path })
