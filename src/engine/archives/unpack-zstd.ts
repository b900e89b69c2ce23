import { zstdDecompressSync } from 'node:zlib'
import { z } from 'zod'

/** What Node answers with `info`; its types know the bytes alone. */
const Unpacked = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.int().positive() }) })

/**
 * All frames of a zstd text: Node reads the first one and leaves the others.
 * @param size of what comes out; more than that is refused
 * @throws Error for what is not zstd, or unpacks to more
 */
export function unpackZstd(packed: Buffer, size: number): Buffer {
  const parts: Buffer[] = []
  let from = 0
  let left = Math.max(1, size)
  while (from < packed.length) {
    const { buffer, engine } = Unpacked.parse(zstdDecompressSync(packed.subarray(from), { info: true, maxOutputLength: left }))
    parts.push(buffer)
    from += engine.bytesWritten
    left = Math.max(1, left - buffer.length)
  }
  return Buffer.concat(parts)
}
