import { mostArchiveBytes, mostArchiveFiles } from '../../contract/media/media.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatNumber } from '../../lib/format/numbers.ts'

/** An archive of files, which are unpacked one by one into memory. */
export interface Archive {
  /** Paths of its files in the order of the archive, with slashes. */
  readonly names: readonly string[]
  /** Bytes that a file says it unpacks to; 0 for one that is not there. */
  sizeOf(name: string): number
  /** @throws ArchiveError when it is damaged or unpacks to more than it may */
  read(name: string): Buffer
}

/** The archive cannot be read, and why. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError'
}

const mebi = 1024 * 1024

export const archiveLimits = {
  entries: mostArchiveFiles,
  entryBytes: 64 * mebi,
  /** Of all files that are read. */
  totalBytes: mostArchiveBytes,
  /** Of files that are held in memory together. */
  heldBytes: 512 * mebi,
  /** Unpacked bytes for each packed one, of a file and of all files that are read. */
  ratio: 200,
  ratioFrom: mebi,
  /** The list of files at the end of a zip archive. */
  directoryBytes: 32 * mebi,
  nameLength: 255,
} as const

/**
 * Refuses a path that leaves the archive, and one that occurred before, also when they differ only in case or in how their letters are
 * composed.
 * @param seen the names before it; this one is added
 */
export function checkEntryName(name: string, seen: Set<string>): void {
  const parts = name.split('/')
  if (
    name.length > archiveLimits.nameLength ||
    name.includes('\0') ||
    name.includes('\\') ||
    /^[A-Za-z]:/.test(name) ||
    name.startsWith('/') ||
    parts.includes('..')
  )
    throw new ArchiveError(`The archive has a file with a name that is refused: ${JSON.stringify(name.slice(0, 80))}.`)
  const key = name.normalize('NFC').toLowerCase()
  if (seen.has(key)) throw new ArchiveError(`The archive has "${name}" twice.`)
  seen.add(key)
}

/** @param size of files together, unpacked @param packed of the archive @throws ArchiveError */
export function checkUnpackedSize(size: number, packed: number): void {
  const { ratio, ratioFrom, totalBytes } = archiveLimits
  if (size > Math.max(ratioFrom, packed * ratio))
    throw new ArchiveError(
      `The archive of ${formatBytes(packed)} unpacks to ${formatBytes(size)} or more, over ${ratio} times its size, which real data does not.`,
    )
  if (size > totalBytes)
    throw new ArchiveError(
      `The archive unpacks to ${formatBytes(size)} or more, and at most ${formatBytes(totalBytes)} are read. Divide it into several archives, and import each.`,
    )
}

export function tooManyFiles(): ArchiveError {
  return new ArchiveError(`The archive holds more than ${formatNumber(archiveLimits.entries)} files. Divide it into several archives.`)
}
