import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createHeadlessHost } from '../../src/headless/host.ts'
import { restoreBackup } from '../../src/service/backups/restore-backup.ts'
import { createService } from '../../src/service/create-service.ts'
import { DataFolderInUseError, lockDataFolder } from '../../src/service/lifecycle/data-folder.ts'
import { StorageError } from '../../src/storage/storage-fault.ts'
import { prepareData } from '../support/prepared-data.ts'
import { temporaryFolder } from '../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let said: string[]
beforeEach(() => {
  folder = temporaryFolder()
  prepareData(folder.path)
  said = []
})
afterEach(() => folder.remove())

const hour = 3600_000
const start = (lockWaitMs: number, stopping = new AbortController()) => {
  const config = { dataDir: folder.path, port: 0, portMayMove: false, rendererDir: null, logLevel: 'silent', lockWaitMs } as const
  const host = { ...createHeadlessHost(folder.path, stopping.signal), say: (line: string) => said.push(line) }
  return createService(config, host)
}

/** As a backup tool or a database browser does. */
function lockDatabase(): () => void {
  const other = new Sqlite(join(folder.path, 'assay.db'))
  other.exec('begin exclusive')
  return () => other.close()
}

/** SHA-256 of each file of a folder, but of the log and of memory that processes share. */
function bytesOf(path: string): Readonly<Record<string, string>> {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter(
    entry => entry.isFile() && !entry.name.endsWith('-shm') && !entry.name.startsWith('service.log'),
  )
  const hashes = files.map(({ parentPath, name }) => {
    const file = join(parentPath, name)
    return [file, createHash('sha256').update(readFileSync(file)).digest('hex')] as const
  })
  return Object.fromEntries(hashes)
}

describe('a start', () => {
  test('waits for a program that has locked the database, and says so once', async () => {
    const unlock = lockDatabase()
    const service = start(hour)
    await expect.poll(() => said).toEqual([expect.stringMatching(/assay\.db is locked: another program.*Waiting up to 3600 s for it\.$/)])
    unlock()
    await (await service).close()
    expect(said).toHaveLength(1)
  })

  test('waits for an Assay that is starting or stopping', async () => {
    const lock = lockDataFolder(folder.path)
    const service = start(hour)
    await expect.poll(() => said).toEqual([expect.stringMatching(/already running on .* and is starting or stopping.*Waiting up to/)])
    lock.release()
    await (await service).close()
  })

  test('is refused at once by an Assay that serves', async () => {
    const first = await start(0)
    const before = bytesOf(folder.path)
    await expect(start(hour)).rejects.toThrow(new RegExp(`already running on .* at ${first.baseUrl}`))
    expect(() => restoreBackup(folder.path, 'newest', false, new Date())).toThrow(`already running on ${folder.path} at ${first.baseUrl}`)
    expect(said).toEqual([])
    expect(bytesOf(folder.path)).toEqual(before)
    await first.close()
  })

  test('gives up after the time, naming the file and the option', async () => {
    const unlock = lockDatabase()
    const refused = start(1)
    await expect(refused).rejects.toThrow(StorageError)
    await expect(refused).rejects.toThrow(/assay\.db is locked.*Waited 0\.001 s; "serve --lock-wait SECONDS" changes that/)
    unlock()
    // Nothing of the attempt holds the folder.
    await (await start(0)).close()
  })

  test('gives up when it is told to stop', async () => {
    const lock = lockDataFolder(folder.path)
    const stopping = new AbortController()
    const refused = start(hour, stopping)
    await expect.poll(() => said).toHaveLength(1)
    stopping.abort()
    await expect(refused).rejects.toThrow(DataFolderInUseError)
    lock.release()
  })
})
