import { z } from 'zod'
import { Timestamp, Uuid } from '../primitives.ts'

const Bytes = z.int().min(0)

/** What llama.cpp computes on. */
export const RuntimeBackend = z.enum(['cpu', 'metal', 'vulkan', 'cuda']).meta({ id: 'RuntimeBackend' })
export type RuntimeBackend = z.infer<typeof RuntimeBackend>

export const LocalRuntime = z
  .strictObject({
    version: z.string().describe('Version of node-llama-cpp that this Assay installs and uses.'),
    status: z.enum(['not_installed', 'installing', 'ready']),
    backend: RuntimeBackend.nullable().describe('Null while none is installed.'),
    installed_at: Timestamp.nullable(),
    host: z.string().describe('Where an install downloads from: the registry that npm is configured for.'),
    options: z
      .array(z.strictObject({ backend: RuntimeBackend, download_bytes: Bytes, unpacked_bytes: Bytes }))
      .describe('Backends built for this machine; empty where there is none.'),
    job_id: Uuid.nullable().describe('The latest install; null when there was none.'),
    problem: z.string().nullable().describe('Why the latest install failed and what to do; null when it did not.'),
  })
  .meta({ id: 'LocalRuntime' })
export type LocalRuntime = z.infer<typeof LocalRuntime>

const path = z.string().min(1).max(4096)

export const RuntimeInstall = z
  .strictObject({
    backend: RuntimeBackend.default('cpu'),
    from: path.nullable().default(null).describe('Folder with the tarballs, as `npm pack` names them; null downloads them.'),
  })
  .meta({ id: 'RuntimeInstall' })
export type RuntimeInstall = z.infer<typeof RuntimeInstall>
