import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { formatBytes } from '../lib/format/bytes.ts'
import { failureReason } from './describe-failure.ts'
import { UsageError } from './exit-codes.ts'

/** Bytes of a file with settings. */
const mostSettings = 16_000_000
/** Bytes of a file with data. */
export const mostData = 500_000_000
const pieceBytes = 64 * 1024

/**
 * A file that the command line names, whole. A pipe, such as `<(command)`, is read to its end; a device that has none ends at the limit.
 * @throws UsageError for what cannot be read or is larger
 */
export function readNamedFile(path: string, mostBytes = mostSettings): Buffer {
  const found = readAtMost(path, mostBytes)
  if (found === null) throw new UsageError(`The file ${path} is larger than ${formatBytes(mostBytes)}.`)
  return found
}

function readAtMost(path: string, mostBytes: number): Buffer | null {
  let file: number | null = null
  try {
    file = openSync(path, 'r')
    if (fstatSync(file).size > mostBytes) return null
    const pieces: Buffer[] = []
    for (let left = mostBytes; left >= 0; ) {
      const piece = Buffer.allocUnsafe(pieceBytes)
      const bytes = readSync(file, piece)
      if (bytes === 0) return Buffer.concat(pieces)
      pieces.push(piece.subarray(0, bytes))
      left -= bytes
    }
    return null
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${path}: ${failureReason(error)}`)
  } finally {
    if (file !== null) closeSync(file)
  }
}
