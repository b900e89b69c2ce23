import type { Message, MessageContent } from '../contract/messages/messages.schemas.ts'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** A task as stored in `tasks.content`: everything about it, as JSON, in zstd where it is long. */
export interface StoredTask {
  id: string
  split: 'test' | 'canonical'
  fields: Record<string, string>
  /** Present in tasks that are conversations, by field. */
  conversations?: Readonly<Record<string, readonly Message[]>> | undefined
  /** Present in tasks with scripted turns. */
  turns?: MessageContent[] | undefined
  targets: string[]
  choices: string[] | null
  metadata: Record<string, unknown>
  capabilities: string[]
  dependsOn: string[]
}

/** Bytes set aside at a time for what comes out; most tasks are shorter, and Node's default of 16 KiB each would become garbage. */
const chunkSize = 4096

/** Bytes up to which a task is kept as it is: zstd would save a few hundred of them and cost every sample of every run its time. */
const plainBytes = 1024

/** First byte of a JSON object; a zstd frame begins with another. */
const openingBrace = 0x7b

export function encodeTask(task: { readonly [K in keyof StoredTask]: Readonly<StoredTask[K]> }): Uint8Array {
  const json = Buffer.from(JSON.stringify(task))
  return json.length <= plainBytes ? json : zstdCompressSync(json, { chunkSize })
}

export function decodeTask(content: Uint8Array): StoredTask {
  const json =
    content[0] === openingBrace
      ? Buffer.from(content.buffer, content.byteOffset, content.byteLength)
      : zstdDecompressSync(content, { chunkSize })
  // Only encodeTask writes this column, from a value of this type; every sample of every run is read through here.
  return JSON.parse(json.toString('utf8')) as StoredTask
}
