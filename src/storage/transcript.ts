import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

/** What one attempt sent and got, byte for byte, and the answer's text that was read out of it. */
export interface Transcript {
  readonly request: Uint8Array | null
  readonly response: Uint8Array | null
  readonly output: string | null
}

const absent = 0xffffffff
const header = 12

/** The three parts one after another, behind their lengths: compressed as one, a part repeated in another costs next to nothing. */
export function packTranscript({ request, response, output }: Transcript): Uint8Array {
  const parts = [request, response, output === null ? null : Buffer.from(output, 'utf8')]
  const block = Buffer.allocUnsafe(header + parts.reduce((sum, part) => sum + (part?.length ?? 0), 0))
  let offset = header
  for (const [i, part] of parts.entries()) {
    block.writeUInt32LE(part ? part.length : absent, i * 4)
    if (!part) continue
    block.set(part, offset)
    offset += part.length
  }
  return block
}

/** @throws RangeError when the block is not one of ours. */
export function unpackTranscript(block: Uint8Array): Transcript {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength)
  let offset = header
  const part = (i: number): Buffer | null => {
    const length = bytes.readUInt32LE(i * 4)
    if (length === absent) return null
    if (offset + length > bytes.length) throw new RangeError('The transcript is cut off.')
    const slice = bytes.subarray(offset, offset + length)
    offset += length
    return slice
  }
  const request = part(0)
  const response = part(1)
  return { request, response, output: part(2)?.toString('utf8') ?? null }
}

/** A run's first transcript serves as the dictionary of the others: prompts and replies of one run look alike. */
export function compress(block: Uint8Array, dictionary: Uint8Array | null): Uint8Array {
  return zstdCompressSync(block, dictionary ? { dictionary: Buffer.from(dictionary) } : {})
}

export function decompress(block: Uint8Array, dictionary: Uint8Array | null): Uint8Array {
  return zstdDecompressSync(block, dictionary ? { dictionary: Buffer.from(dictionary) } : {})
}
