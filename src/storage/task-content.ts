import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'

/** A task as stored in `tasks.content`: everything about it, JSON in zstd. */
export const StoredTask = z.object({
  id: z.string(),
  split: z.enum(['test', 'canonical']),
  fields: z.record(z.string(), z.string()),
  targets: z.array(z.string()),
  choices: z.array(z.string()).nullable(),
  metadata: z.record(z.string(), z.unknown()),
  capabilities: z.array(z.string()),
  dependsOn: z.array(z.string()),
})
export type StoredTask = z.infer<typeof StoredTask>

export function encodeTask(task: { readonly [K in keyof StoredTask]: Readonly<StoredTask[K]> }): Uint8Array {
  return zstdCompressSync(JSON.stringify(task))
}

export function decodeTask(content: Uint8Array): StoredTask {
  return StoredTask.parse(JSON.parse(zstdDecompressSync(content).toString('utf8')))
}
