import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ballastIn } from '../../../src/service/lifecycle/ballast.ts'
import { touchDatabase } from '../../../src/service/lifecycle/probe.store.ts'
import { createStorageHealth, type StorageHealth, type StorageHealthOptions } from '../../../src/service/lifecycle/storage-health.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

const at = new Date('2026-11-20T09:30:00.000Z')
let folder: ReturnType<typeof temporaryFolder>
let db: Database
let health: StorageHealth

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, at)
  health = create()
})
afterEach(() => {
  vi.useRealTimers()
  health.close()
  db.close()
  folder.remove()
})

/** Without ballast, as on a small disk, unless one is given. */
const create = (more: Partial<StorageHealthOptions> = {}) =>
  createStorageHealth({
    dataDir: folder.path,
    databasePath: db.path,
    keepFree: 0,
    ballast: { drop: () => false, lay: () => false },
    now: () => at,
    probe: () => touchDatabase(db, at.toISOString()),
    withoutWaiting: db.withoutWaiting,
    ...more,
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
    expect(health.read().state).toBe('ok')
  })

  test('is tried until it takes writes again, and until then nothing new is to be begun', () => {
    db.pragma('query_only = 1')
    expect(health.note(thrownByWrite())).not.toBeNull()
    vi.advanceTimersByTime(10_000)
    expect(health.read().state).toBe('read_only')
    expect(health.storageFault()).toMatch(/Make it writable/)
    db.pragma('query_only = 0')
    vi.advanceTimersByTime(2_000)
    expect(health.read().state).toBe('ok')
    expect(health.storageFault()).toBeNull()
  })

  test('that is full gets the ballast, and is over only when the ballast is back', () => {
    let room = true
    const drop = vi.fn(() => true)
    const full = create({ ballast: { drop, lay: () => room } })
    room = false
    full.note(failure('SQLITE_FULL'))
    expect(drop).toHaveBeenCalledOnce()
    // A small write goes through by now: it is the ballast's room.
    vi.advanceTimersByTime(10_000)
    expect(full.read().state).toBe('full')
    expect(full.storageFault()).toMatch(/full/)
    room = true
    vi.advanceTimersByTime(2_000)
    expect(full.read().state).toBe('ok')
    full.close()
  })

  test('that filled up before there was a ballast lays one when it is over', () => {
    health.close()
    const ballast = ballastIn(folder.path)
    health = create({ ballast })
    db.pragma('query_only = 1')
    health.note(failure('SQLITE_FULL'))
    expect(existsSync(join(folder.path, 'ballast'))).toBe(false)
    db.pragma('query_only = 0')
    vi.advanceTimersByTime(2_000)
    expect(health.read().state).toBe('ok')
    expect(existsSync(join(folder.path, 'ballast'))).toBe(true)
  })

  test('with little room lets nothing new begin and refuses no write', () => {
    const low = create({ keepFree: 2 ** 60 })
    expect(low.read()).toMatchObject({ state: 'low', message: expect.stringContaining('Runs wait') })
    expect(low.storageFault()).toMatch(/nearly full/)
    low.requireWritable()
    expect(() => low.requireRoom(0)).toThrow(
      /^The disk has .* free, of which .* are kept, so this upload was not received\. Free some space/,
    )
    low.close()
  })

  test('receives what leaves the room that is kept, and nothing while it cannot be written', () => {
    const free = health.read().free_bytes ?? 0
    health.requireRoom(free)
    expect(() => health.requireRoom(2 * free)).toThrow(/so an upload of .* was not received/)
    health.note(failure('SQLITE_FULL'))
    expect(() => health.requireRoom(0)).toThrow(/The disk is full/)
  })

  test.each(['SQLITE_CORRUPT', 'SQLITE_CORRUPT_INDEX', 'SQLITE_NOTADB'])('with %s is damaged until the next start', code => {
    expect(health.note(failure(code))?.message).toContain('Restore a backup')
    vi.advanceTimersByTime(10_000)
    expect(health.read().state).toBe('damaged')
  })

  test('whose database was deleted, or replaced by another, refuses every write from then on', () => {
    for (const put of [null, () => writeFileSync(db.path, 'another')]) {
      const watched = create()
      watched.requireWritable()
      renameSync(db.path, `${db.path}.moved`)
      put?.()
      vi.advanceTimersByTime(1_000)
      expect(() => watched.requireWritable()).toThrow(/moved, replaced or deleted/)
      expect(watched.storageFault()).toMatch(/Put it back/)
      rmSync(db.path, { force: true })
      renameSync(`${db.path}.moved`, db.path)
      vi.advanceTimersByTime(10_000)
      expect(watched.read().state).toBe('gone')
      watched.close()
    }
  })

  test('whose log was deleted while it is open refuses every write from then on', () => {
    touchDatabase(db, at.toISOString())
    const watched = create()
    watched.requireWritable()
    rmSync(`${db.path}-wal`)
    vi.advanceTimersByTime(1_000)
    expect(() => watched.requireWritable()).toThrow(/database or its log was moved, replaced or deleted/)
    watched.close()
  })

  test('lets undone what may be left undone, and nothing else', () => {
    health.attempt(() => {
      throw failure('SQLITE_FULL')
    })
    expect(health.read().state).toBe('full')
    health.attempt(() => {
      throw failure('SQLITE_BUSY')
    })
    expect(() =>
      health.attempt(() => {
        throw new TypeError('a mistake of ours')
      }),
    ).toThrow('a mistake of ours')
  })
})

describe('the ballast', () => {
  test('is sixteen megabytes that are given back when dropped, and laid again', () => {
    const ballast = ballastIn(folder.path)
    const path = join(folder.path, 'ballast')
    expect(ballast.drop()).toBe(false)
    expect(ballast.lay()).toBe(true)
    // As many blocks as bytes: none of it is a hole.
    expect(statSync(path)).toMatchObject({ size: 16 * 1024 * 1024 })
    expect(statSync(path).blocks * 512).toBeGreaterThanOrEqual(16 * 1024 * 1024)
    expect(ballast.drop()).toBe(true)
    expect(existsSync(path)).toBe(false)
    expect(ballast.lay()).toBe(true)
  })
})
