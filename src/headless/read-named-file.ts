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
 * @param option that names it, for the refusal
 * @throws UsageError for what cannot be read or is larger
 */
export function readNamedFile(path: string, { mostBytes = mostSettings, option }: { mostBytes?: number; option?: string } = {}): Buffer {
  const by = option === undefined ? '' : `${option}: `
  let found: Buffer | null
  try {
    found = readAtMost(path, mostBytes)
  } catch (error) {
    throw new UsageError(`${by}The file cannot be read: ${path}: ${failureReason(error)}`)
  }
  if (found === null) throw new UsageError(`${by}The file ${path} is larger than ${formatBytes(mostBytes)}.`)
  return found
}

function readAtMost(path: string, mostBytes: number): Buffer | null {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > mostBytes) return null
    // A byte beyond its size tells its end. What has no size grows with what comes.
    let whole = Buffer.allocUnsafe((size || pieceBytes) + 1)
    for (let bytes = 0; bytes <= mostBytes; ) {
      if (bytes === whole.length) whole = Buffer.concat([whole], 2 * bytes)
      const read = readSync(file, whole, { offset: bytes })
      if (read === 0) return whole.subarray(0, bytes)
      bytes += read
    }
    return null
  } finally {
    closeSync(file)
  }
}
