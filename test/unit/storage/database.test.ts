import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { keepLogShort } from '../../../src/service/storage/log-length.store.ts'
import { folderWarning } from '../../../src/service/storage/index.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { lockDataFolder } from '../../../src/service/lifecycle/data-folder.ts'
import { backUp, migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database
beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
})
afterEach(() => {
  vi.useRealTimers()
  db.close()
  folder.remove()
})

const one = (pragma: string) => db.prepare(`pragma ${pragma}`).pluck().get()
const logBytes = () => statSync(`${db.path}-wal`).size

test('pages are read, none is mapped into memory', () => {
  expect(one('mmap_size')).toBe(0)
})

describe('work that waits for a commit', () => {
  test('begins after the outermost transaction, in order, and may begin another', () => {
    const seen: string[] = []
    db.transaction(() => {
      db.afterCommit(() => seen.push(db.transaction(() => 'first')))
      db.transaction(() => db.afterCommit(() => seen.push('second')))
      expect(seen).toEqual([])
    })
    expect(seen).toEqual(['first', 'second'])
  })

  test('is dropped by a rollback, and runs immediately outside a transaction', () => {
    const seen: string[] = []
    const undone = () => {
      db.afterCommit(() => seen.push('undone'))
      throw new Error('no')
    }
    expect(() => db.transaction(undone)).toThrow('no')
    db.transaction(() => db.afterCommit(() => seen.push('kept')))
    db.afterCommit(() => seen.push('at once'))
    expect(seen).toEqual(['kept', 'at once'])
  })
})

test('statements stay prepared while they are used, however many others come', () => {
  const used = db.prepare('select 1')
  const rare = db.prepare('select 2')
  for (let other = 0; other < 600; other++) {
    db.prepare(`select 1 where ${other} = ?`)
    expect(db.prepare('select 1')).toBe(used)
  }
  expect(db.prepare('select 2')).not.toBe(rare)
})

describe('a second connection that writes', () => {
  // Elsewhere the locks of a process can't be listed.
  test.runIf(process.platform === 'linux')('leaves the first its locks', () => {
    db.prepare('create table t (x integer)').run()
    const { ino } = statSync(db.path)
    const locks = () => [...readFileSync('/proc/locks', 'utf8').matchAll(new RegExp(`POSIX .*:${ino} `, 'g'))].length
    expect(locks()).toBe(1)
    const second = openDatabase(db.path, { turns: db.turns })
    expect(locks()).toBe(1)
    second.close()
  })

  test('gives its turn back while another program holds the database', () => {
    db.prepare('create table t (x integer)').run()
    const second = openDatabase(db.path, { turns: db.turns })
    const other = openDatabase(db.path, { readonly: false, turns: new SharedArrayBuffer(8) })
    other.prepare('begin immediate').run()
    const turnsWhileWaiting: (number | undefined)[] = []
    const wait = vi.spyOn(Atomics, 'wait').mockImplementation(() => {
      turnsWhileWaiting.push(new Int32Array(db.turns)[0])
      other.prepare('rollback').run()
      return 'timed-out'
    })
    second.transaction(() => second.prepare('insert into t values (1)').run())
    wait.mockRestore()
    expect(turnsWhileWaiting).toEqual([0])
    expect(db.prepare('select x from t').pluck().all()).toEqual([1])
    for (const connection of [other, second]) connection.close()
  })
})

describe('a database', () => {
  test('is opened with every setting that durability rests on', () => {
    expect(
      Object.fromEntries(
        [
          'journal_mode',
          'synchronous',
          'fullfsync',
          'checkpoint_fullfsync',
          'busy_timeout',
          'foreign_keys',
          'trusted_schema',
          'recursive_triggers',
          'cell_size_check',
          'wal_autocheckpoint',
          'journal_size_limit',
        ].map(name => [name, one(name)]),
      ),
    ).toEqual({
      journal_mode: 'wal',
      synchronous: 2,
      fullfsync: 0,
      checkpoint_fullfsync: 1,
      busy_timeout: 5000,
      foreign_keys: 1,
      trusted_schema: 0,
      recursive_triggers: 1,
      cell_size_check: 1,
      wal_autocheckpoint: 1000,
      journal_size_limit: 64 * 1024 * 1024,
    })
  })

  test('has strict tables only', () => {
    migrate(db, new Date(0))
    expect(
      db
        .prepare(`select name from pragma_table_list where schema = 'main' and type = 'table' and strict = 0 and name not like 'sqlite%'`)
        .all(),
    ).toEqual([])
  })

  test('keeps statements prepared, also after any number of others', () => {
    for (let i = 0; i < 600; i++) db.prepare(`select ${i}`)
    const statement = db.prepare('select ?')
    for (let i = 600; i < 900; i++) db.prepare(`select ${i}`)
    expect(db.prepare('select ?')).toBe(statement)
  })

  test('writes in immediate transactions, so that two writers wait and neither fails', () => {
    migrate(db, new Date(0))
    const other = openDatabase(db.path)
    other.pragma('busy_timeout = 0')
    db.transaction(() => {
      // Nothing is written yet, and the other one waits already.
      expect(() => other.transaction(() => undefined)).toThrow(/locked/)
      expect(other.isHeld()).toBe(true)
    })
    expect(other.isHeld()).toBe(false)
    other.transaction(() => undefined)
    other.close()
  })

  test('held by another program is found so at once where nothing waits, and its time limit is the same afterward', () => {
    migrate(db, new Date(0))
    const other = openDatabase(db.path)
    other.prepare('begin immediate').run()
    expect(db.isHeld()).toBe(true)
    expect(() => db.withoutWaiting(() => db.withoutWaiting(() => db.transaction(() => undefined)))).toThrow(/locked/)
    expect(one('busy_timeout')).toBe(5000)
    other.prepare('rollback').run()
    expect(db.isHeld()).toBe(false)
    expect(db.transaction(() => db.isHeld())).toBe(false)
    other.close()
  })
})

describe('the log of changes', () => {
  const row = 'x'.repeat(1000)
  const write = (rows: number) => {
    const insert = db.prepare('insert into bulk (text) values (?)')
    for (let i = 0; i < rows; i += 50) db.transaction(() => Array.from({ length: 50 }, () => insert.run(row)))
  }
  beforeEach(() => void db.prepare('create table bulk (no integer primary key, text text) strict').run())

  test('is used again from its beginning, however much is written, also with readers that come and go', () => {
    for (let i = 0; i < 8; i++) {
      write(2000)
      const reader = openDatabase(db.path, { readonly: true })
      expect(Number(reader.prepare('select count(*) from bulk').pluck().get())).toBe((i + 1) * 2000)
      reader.close()
    }
    // 16 MB of rows, a thousand pages of log.
    expect(logBytes()).toBeLessThan(6 * 1024 * 1024)
  })

  test('is not truncated while a second connection writes', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    write(50)
    const keeping = keepLogShort({ db, log: pino({ level: 'silent' }) })
    keeping.start()
    const reader = openDatabase(db.path, { readonly: true })
    reader.prepare('begin').run()
    reader.prepare('select count(*) from bulk').get()
    write(16_000)
    vi.advanceTimersByTime(30_000)
    reader.close()
    const second = openDatabase(db.path, { turns: db.turns })
    second.prepare('delete from bulk where rowid = 1').run()
    vi.advanceTimersByTime(30_000)
    expect(logBytes()).toBeGreaterThan(12 * 1024 * 1024)
    vi.advanceTimersByTime(30_000)
    expect(logBytes()).toBe(0)
    for (const open of [keeping, second]) open.close()
  })

  test('is truncated when idle after a long reader let it grow; a clean stop removes it', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const keeping = keepLogShort({ db, log: pino({ level: 'silent' }) })
    keeping.start()
    const reader = openDatabase(db.path, { readonly: true })
    reader.prepare('begin').run()
    reader.prepare('select count(*) from bulk').get()
    write(16_000)
    const grown = logBytes()
    expect(grown).toBeGreaterThan(12 * 1024 * 1024)
    // Still being read: nothing is waited for, and nothing is lost.
    vi.advanceTimersByTime(60_000)
    expect(logBytes()).toBe(grown)
    reader.close()
    write(50)
    vi.advanceTimersByTime(30_000)
    expect(logBytes()).toBeGreaterThanOrEqual(grown)
    vi.advanceTimersByTime(30_000)
    expect(logBytes()).toBe(0)
    expect(one('busy_timeout')).toBe(5000)
    keeping.close()
    write(50)
    db.close()
    expect(existsSync(`${db.path}-wal`)).toBe(false)
    db = openDatabase(db.path)
    expect(db.prepare('select count(*) from bulk').pluck().get()).toBe(16_100)
  })
})

describe('where the data lie', () => {
  test.each([
    ['/home/ada/.local/share/assay', 0xef53],
    ['/home/ada/dropbox-notes/assay', 0xef53],
    ['C:\\Users\\Ada\\AppData\\Roaming\\Assay', null],
  ])('%s is fine', (path, fileSystem) => expect(folderWarning(path, fileSystem)).toBeNull())

  test.each([
    ['/mnt/share/assay', 0x6969, 'NFS'],
    ['/mnt/share/assay', 0xff534d42, 'CIFS'],
    ['\\\\server\\share\\assay', null, 'network disk'],
    ['/Users/ada/Library/Mobile Documents/com~apple~CloudDocs/assay', null, 'synchronized'],
    ['C:\\Users\\Ada\\OneDrive - Work\\assay', null, 'synchronized'],
    ['/home/ada/Dropbox/assay', 0xef53, 'synchronized'],
  ])('%s is warned of', (path, fileSystem, why) => expect(folderWarning(path, fileSystem)).toContain(why))
})

describe.skipIf(process.platform === 'win32')('files of the database (Windows has no such modes)', () => {
  const mode = (path: string) => statSync(path).mode & 0o777

  test('are for their owner alone, copies and what older versions left included', async () => {
    migrate(db, new Date(0))
    for (const end of ['', '-wal', '-shm']) expect(mode(db.path + end)).toBe(0o600)
    await db.copyTo(join(folder.path, 'copy.db'), () => undefined)
    expect(mode(join(folder.path, 'copy.db'))).toBe(0o600)
    expect(mode(backUp(db, 'backup.db'))).toBe(0o600)
    const old = join(folder.path, 'old.db')
    writeFileSync(old, '', { mode: 0o644 })
    openDatabase(old).close()
    expect(mode(old)).toBe(0o600)
  })

  test('are not reached through a symbolic link', () => {
    const link = join(folder.path, 'link.db')
    symlinkSync(join(folder.path, 'elsewhere.db'), link)
    expect(() => openDatabase(link)).toThrow('is a symbolic link')
    expect(existsSync(join(folder.path, 'elsewhere.db'))).toBe(false)
    symlinkSync(join(folder.path, 'elsewhere.db'), join(folder.path, 'lock.db'))
    expect(() => lockDataFolder(folder.path)).toThrow('is a symbolic link')
  })
})
