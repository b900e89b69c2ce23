/** An archive of files, read from memory. Nothing of it is ever written to disk. */
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
  entries: 20_000,
  entryBytes: 64 * mebi,
  totalBytes: 1024 * mebi,
  /** Of files that are held in memory together. */
  heldBytes: 512 * mebi,
  ratio: 200,
  ratioFrom: mebi,
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
