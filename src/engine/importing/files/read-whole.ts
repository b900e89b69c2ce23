import { formatBytes } from '../../../lib/format/bytes.ts'
import { FileError } from './decode-bytes.ts'
import type { ImportLimits } from './limits.ts'

/** Bytes of a file that is read whole. */
const mostBytes = 512 * 1024 * 1024

/**
 * All bytes of a file.
 * @param what the file is, for the message
 * @throws FileError when there are more than fit into memory
 */
export async function readWhole(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits, what: string): Promise<Buffer> {
  const most = Math.min(mostBytes, limits.decodedBytes)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    size += part.length
    if (size > most)
      throw new FileError(
        `The ${what} has more than ${formatBytes(most)}, which is the most that is read at once. Divide it into several files.`,
      )
    parts.push(part)
  }
  return Buffer.concat(parts)
}
