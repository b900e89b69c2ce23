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

/** Bytes set aside at a time for what comes out; most tasks are shorter, and Node's own 16 KiB apiece would stand about as garbage. */
const chunkSize = 4096

export function encodeTask(task: { readonly [K in keyof StoredTask]: Readonly<StoredTask[K]> }): Uint8Array {
  return zstdCompressSync(JSON.stringify(task), { chunkSize })
}

export function decodeTask(content: Uint8Array): StoredTask {
  // Only encodeTask writes this column, from a value of this type; every sample of every run is read through here.
  return JSON.parse(zstdDecompressSync(content, { chunkSize }).toString('utf8')) as StoredTask
}
