import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { isBusy } from '../../storage/busy.ts'
import { makePrivateFile } from '../../storage/database.ts'
import { describingFaults } from '../../storage/storage-fault.ts'
import { ballastIn } from './ballast.ts'
import { findRunningService } from './running-service.ts'

/** Another service works on this data. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError'
  readonly dataDir: string
  /** Whether it answers requests; otherwise it is starting or stopping. */
  readonly isServed: boolean

  constructor(message: string, dataDir: string, isServed: boolean) {
    super(message)
    this.dataDir = dataDir
    this.isServed = isServed
  }
}

export interface DataFolderLock {
  /** The disk was so full that not even a lock could be taken. */
  readonly isBallastSpent: boolean
  release(): void
}

/** The folder cannot be made or written. */
export class DataFolderUnwritableError extends Error {
  override readonly name = 'DataFolderUnwritableError'
}

/** Makes the folder for its owner alone. @throws DataFolderUnwritableError */
export function prepareDataFolder(dataDir: string): void {
  try {
    makePrivate(dataDir)
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new DataFolderUnwritableError(
      `The data folder ${dataDir} cannot be written (${reason}). Make it writable, or start with another --data-dir.`,
      { cause: error },
    )
  }
}

function makePrivate(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0) chmodSync(dataDir, 0o700)
}

/**
 * One service per data folder. The lock is an open exclusive transaction on a database of its own: the operating system drops it
 * with the process, however that ends, so no lock is ever stale.
 */
export function lockDataFolder(dataDir: string): DataFolderLock {
  try {
    return takeLock(dataDir, false)
  } catch (error) {
    if (error instanceof DataFolderInUseError || !ballastIn(dataDir).drop()) throw error
    return takeLock(dataDir, true)
  }
}

function takeLock(dataDir: string, isBallastSpent: boolean): DataFolderLock {
  makePrivateFile(join(dataDir, 'lock.db'))
  const path = join(dataDir, 'lock.db')
  const lock = describingFaults(path, () => new Sqlite(path, { timeout: 0 }))
  try {
    describingFaults(path, () => lock.exec('begin exclusive'))
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    const running = findRunningService(dataDir)
    const how = running ? `at ${running.base_url} (process ${running.pid})` : 'and is starting or stopping'
    throw new DataFolderInUseError(
      `Assay is already running on ${dataDir} ${how}. Use that one, stop it first, or start with another --data-dir.`,
      dataDir,
      running !== null,
    )
  }
  return { isBallastSpent, release: () => lock.close() }
}
