import type { FileContent, ImportSource } from '../../../../../src/engine/importing/files/import-source.ts'
import { type ImportLimits, importLimits } from '../../../../../src/engine/importing/files/limits.ts'

/** The bytes of a text in pieces of a size, so that lines and characters are cut anywhere. */
export async function* bytesOf(content: string | Uint8Array, pieceSize = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let i = 0; i < bytes.length; i += pieceSize) yield bytes.subarray(i, i + pieceSize)
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

export function sourceOf(content: FileContent, text: string | Uint8Array, name = 'data'): ImportSource {
  return { name, content, open: () => bytesOf(text, 1000) }
}

export const limitsWith = (change: Partial<ImportLimits>): ImportLimits => ({ ...importLimits, ...change })
