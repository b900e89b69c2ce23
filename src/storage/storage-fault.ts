import { commandLine } from '../lib/command-line.ts'
/** What keeps a file from being read or written, as SQLite and the system tell by their codes. */
export type StorageFault = 'busy' | 'full' | 'read_only' | 'unopenable' | 'failing' | 'damaged'

const faults: readonly (readonly [StorageFault, RegExp])[] = [
  ['busy', /^SQLITE_(?:BUSY|LOCKED)/],
  // SQLite's shared memory needs room on the disk too.
  ['full', /^(?:SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/],
  ['read_only', /^(?:SQLITE_READONLY\w*|SQLITE_PERM|EROFS|EACCES|EPERM)$/],
  ['unopenable', /^SQLITE_CANTOPEN/],
  ['failing', /^(?:SQLITE_IOERR\w*|EIO)$/],
  ['damaged', /^SQLITE_(?:CORRUPT|NOTADB)/],
]

/** Null where storage is not to blame. */
export function storageFault(error: unknown): StorageFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return faults.find(([, codes]) => codes.test(code))?.[0] ?? null
}

/** Whether an error says that the content of a database is wrong, and not that it could not be read for another reason. */
export function isDamage(error: unknown): error is Error {
  return storageFault(error) === 'damaged'
}

const sentences: Readonly<Record<StorageFault, (path: string, reason: string) => string>> = {
  busy: path =>
    `${path} is locked: another program, such as a backup tool or a database browser, is using it. Close that program, or wait until it is done, and try again.`,
  full: path => `The disk that holds ${path} is full. Free some space and try again.`,
  read_only: (path, reason) =>
    `${path} cannot be written (${reason}). Make the file and its folder writable for you, or move the data to a disk that is.`,
  unopenable: (path, reason) =>
    `${path} cannot be opened (${reason}). Check that the file and its folder are there and that you may read and write both.`,
  failing: (path, reason) =>
    `The disk fails to read or write ${path} (${reason}). Check the disk, and copy the data folder somewhere safe.`,
  damaged: (path, reason) =>
    `${path} is damaged (${reason}). Copy the data folder before anything else is tried, then go back to a backup with "${commandLine('restore')}".`,
}

/** A database that cannot be read or written: the message names the file and what to do, `reason` is SQLite's own. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: string
  readonly reason: string

  constructor(fault: StorageFault, path: string, cause: Error) {
    const code = 'code' in cause ? String(cause.code) : ''
    super(sentences[fault](path, `${cause.message}, ${code}`), { cause })
    this.code = code
    this.reason = cause.message
  }
}

/** Uses a database file. @throws StorageError for what SQLite says of storage; whatever else is thrown stays as it is */
export function describingFaults<Result>(path: string, use: () => Result): Result {
  try {
    return use()
  } catch (error) {
    const fault = error instanceof StorageError ? null : storageFault(error)
    // What the system says of a file names that file, which may be another one.
    if (fault === null || !(error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_'))) throw error
    throw new StorageError(fault, path, error)
  }
}
