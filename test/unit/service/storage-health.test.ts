import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { touchDatabase } from '../../../src/service/lifecycle/probe.store.ts'
import { createStorageHealth, type StorageHealth } from '../../../src/service/lifecycle/storage-health.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

const at = new Date('2026-11-20T09:30:00.000Z')
let folder: ReturnType<typeof temporaryFolder>
let db: Database
let health: StorageHealth

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, at)
  health = createStorageHealth(
    folder.path,
    () => at,
    () => touchDatabase(db, at.toISOString()),
  )
})
afterEach(() => {
  vi.useRealTimers()
  health.close()
  db.close()
  folder.remove()
})

const failure = (code: string) => Object.assign(new Error('as the system says it'), { code })
/** What a write throws while the database takes none. */
function thrownByWrite(): unknown {
  try {
    touchDatabase(db, at.toISOString())
    return null
  } catch (error) {
    return error
  }
}

describe('storage that fails', () => {
  test.each([
    ['SQLITE_FULL', 'full'],
    ['ENOSPC', 'full'],
    ['EDQUOT', 'full'],
    ['SQLITE_READONLY', 'read_only'],
    ['SQLITE_READONLY_DBMOVED', 'read_only'],
    ['EROFS', 'read_only'],
    ['SQLITE_IOERR_WRITE', 'failing'],
    ['EIO', 'failing'],
  ])('with %s is %s, and clients are told 503 and what to do', (code, state) => {
    db.pragma('query_only = 1')
    const refusal = health.note(failure(code))
    expect(refusal).toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': '5' } })
    expect(refusal?.message).not.toContain('as the system says it')
    expect(health.read()).toMatchObject({ state, since: at.toISOString(), message: refusal?.message })
  })

  test.each([failure('SQLITE_BUSY'), failure('ECONNRESET'), new TypeError('a mistake of ours'), null])('is not to blame for %s', error => {
    expect(health.note(error)).toBeNull()
    expect(health.read().state).toMatch(/ok|low/)
  })

  test('is tried until it takes writes again, and those who paused go on', async () => {
    db.pragma('query_only = 1')
    expect(health.note(thrownByWrite())).not.toBeNull()
    const resumed = vi.fn()
    const waiting = health.recovered(new AbortController().signal).then(resumed)
    vi.advanceTimersByTime(10_000)
    expect(health.read().state).toBe('read_only')
    db.pragma('query_only = 0')
    vi.advanceTimersByTime(2_000)
    await waiting
    expect(resumed).toHaveBeenCalledOnce()
    expect(health.read().state).toMatch(/ok|low/)
    await health.recovered(new AbortController().signal)
  })

  test('lets go of those who no longer wait', async () => {
    health.note(failure('ENOSPC'))
    const stop = new AbortController()
    const waiting = health.recovered(stop.signal)
    stop.abort(new Error('closing'))
    await expect(waiting).rejects.toThrow('closing')
    await expect(health.recovered(stop.signal)).rejects.toThrow('closing')
  })

  test('lets undone what may be left undone, and nothing else', () => {
    health.attempt(() => {
      throw failure('SQLITE_FULL')
    })
    expect(health.read().state).toBe('full')
    expect(() =>
      health.attempt(() => {
        throw new TypeError('a mistake of ours')
      }),
    ).toThrow('a mistake of ours')
  })
})

describe('the database', () => {
  test('is written so that what was committed survives a power cut', () => {
    const setting = (name: string) => db.prepare(`pragma ${name}`).pluck().get()
    expect({
      journal: setting('journal_mode'),
      // FULL: better-sqlite3 would set NORMAL.
      synchronous: setting('synchronous'),
      checkpoints: setting('checkpoint_fullfsync'),
      references: setting('foreign_keys'),
      triggers: setting('recursive_triggers'),
      cells: setting('cell_size_check'),
      schema: setting('trusted_schema'),
      wait: setting('busy_timeout'),
    }).toEqual({ journal: 'wal', synchronous: 2, checkpoints: 1, references: 1, triggers: 1, cells: 1, schema: 0, wait: 5000 })
  })

  test('is of an SQLite without the race that breaks write-ahead logs', () => {
    const [major = 0, minor = 0, patch = 0] = String(db.prepare('select sqlite_version()').pluck().get()).split('.').map(Number)
    expect(major * 1_000_000 + minor * 1000 + patch).toBeGreaterThanOrEqual(3_051_003)
  })
})
