import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { describingFaults, StorageError, storageFault } from '../../../src/storage/storage-fault.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'assay.db')
})
afterEach(() => folder.remove())

function thrownBy(use: () => unknown): unknown {
  try {
    use()
  } catch (error) {
    return error
  }
  return null
}

function filled(): Database {
  const db = openDatabase(path)
  db.prepare('create table t (x text) strict').run()
  db.transaction(() => {
    for (let i = 0; i < 200; i++) db.prepare('insert into t values (?)').run('x'.repeat(1000))
  })
  return db
}

describe('a database that', () => {
  const expectFault = (use: () => unknown, fault: string, message: RegExp) => {
    const error = thrownBy(use)
    expect(error).toBeInstanceOf(StorageError)
    expect({ fault: storageFault(error), message: String(error) }).toEqual({ fault, message: expect.stringMatching(message) })
    expect(String(error)).toContain(path)
  }

  test('another program has locked says so when it is opened, read, written and asked for its settings', () => {
    const db = filled()
    const other = new Sqlite(path)
    other.exec('begin exclusive')
    expectFault(() => db.withoutWaiting(() => db.prepare('delete from t').run()), 'busy', /locked: another program.*Close that program/)
    expectFault(() => db.withoutWaiting(() => db.transaction(() => 0)), 'busy', /locked/)
    expectFault(() => db.withoutWaiting(() => db.pragma('user_version = 7')), 'busy', /locked/)
    other.close()
    db.close()
    const exclusive = new Sqlite(path)
    exclusive.pragma('locking_mode = exclusive')
    exclusive.exec('begin exclusive')
    expectFault(() => openDatabase(path, { waitMs: 0 }), 'busy', /locked/)
    exclusive.close()
  })

  test('finds no more room says that the disk is full', () => {
    const db = filled()
    db.pragma('max_page_count = 1')
    const grow = () => db.prepare('insert into t select x from t').run()
    expectFault(() => grow(), 'full', /The disk that holds .* is full. Free some space/)
    db.close()
  })

  test('may not be written says so', () => {
    filled().close()
    const db = openDatabase(path, { readonly: true })
    expectFault(
      () => db.prepare('delete from t').run(),
      'read_only',
      /cannot be written .*SQLITE_READONLY.*Make the file and its folder writable/,
    )
    db.close()
  })

  test('is damaged, or is no database, says so', () => {
    const db = filled()
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    writeFileSync(path, readFileSync(path).fill(0xa5, 8192))
    const garbled = openDatabase(path)
    expectFault(() => garbled.prepare('select sum(length(x)) from t').all(), 'damaged', /is damaged .*SQLITE_CORRUPT.*npm run restore/)
    garbled.close()
    writeFileSync(path, 'a text that is no database'.repeat(500))
    expectFault(() => openDatabase(path), 'damaged', /SQLITE_NOTADB/)
  })

  test('cannot be opened says what to look at', () => {
    expectFault(() => openDatabase(path, { readonly: true }), 'unopenable', /cannot be opened .*SQLITE_CANTOPEN/)
  })
})

test.each(['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC'])('a disk that fails with %s is said to fail, with the file and the code', code => {
  const broken = () => {
    throw Object.assign(new Error('disk I/O error'), { code })
  }
  expect(() => describingFaults(path, broken)).toThrow(`The disk fails to read or write ${path} (disk I/O error, ${code}).`)
})

test.each([
  ['a violated constraint', Object.assign(new Error('UNIQUE constraint failed'), { code: 'SQLITE_CONSTRAINT_UNIQUE' })],
  ['the system’s word on another file', Object.assign(new Error("ENOSPC: no space left, write '/other'"), { code: 'ENOSPC' })],
  ['a mistake of ours', new TypeError('x is not a function')],
])('%s stays as it was thrown', (_, error) => {
  expect(
    thrownBy(() =>
      describingFaults(path, () => {
        throw error
      }),
    ),
  ).toBe(error)
})
