import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** A task as stored in `tasks.content`: everything about it, JSON in zstd. */
export interface StoredTask {
  id: string
  split: 'test' | 'canonical'
  fields: Record<string, string>
  targets: string[]
  choices: string[] | null
  metadata: Record<string, unknown>
  capabilities: string[]
  dependsOn: string[]
}

export function encodeTask(task: { readonly [K in keyof StoredTask]: Readonly<StoredTask[K]> }): Uint8Array {
  return zstdCompressSync(JSON.stringify(task))
}

export function decodeTask(content: Uint8Array): StoredTask {
  // Only encodeTask writes this column, from a value of this type; every sample of every run is read through here.
  return JSON.parse(zstdDecompressSync(content).toString('utf8')) as StoredTask
}
