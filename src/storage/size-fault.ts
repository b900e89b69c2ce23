import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { formatBytes } from '../lib/format/bytes.ts'

/** What a file may have beyond the pages that its header counts, in bytes; SQLite itself writes none. */
const surplus = 64 * 1024 * 1024

/** Of a file larger than this at least one byte in a hundred is stored; file systems that compress databases reach a tenth. */
const sparseFrom = 1024 ** 3
const leastStored = 1 / 100

/**
 * Why a file of many bytes is not a database, before they are read, which takes an hour for 4 TB; null where it may be one. A file that was
 * extended and never written has any size.
 */
export function sizeFault(path: string): string | null {
  const { size, blocks } = statSync(path)
  if (size <= surplus) return null
  const stated = statedBytes(path)
  if (stated !== null && size > stated + surplus)
    return `it has ${formatBytes(size)} and states ${formatBytes(stated)}, so most of it is not data of a database`
  // Some file systems do not tell how much they store.
  const stored = blocks * 512
  return size > sparseFrom && stored > 0 && stored < size * leastStored
    ? `it has ${formatBytes(size)}, of which ${formatBytes(stored)} are stored`
    : null
}

/** Size by the header of SQLite; 0 for another file, null where the header is from a program that does not keep it. */
function statedBytes(path: string): number | null {
  const header = Buffer.alloc(100)
  const file = openSync(path, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  if (header.toString('latin1', 0, 15) !== 'SQLite format 3') return 0
  const pageBytes = header.readUInt16BE(16)
  const isKept = header.readUInt32BE(24) === header.readUInt32BE(92)
  return isKept ? (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28) : null
}
