import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Health } from '../../../src/contract/meta/meta.schemas.ts'
import { createBackups } from '../../../src/service/backups/index.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { verifyBackupFile } from '../../../src/storage/verify-copy.ts'
import verifyBackup, { type VerifyBackupTask } from '../../../src/workers/verify-backup.worker.ts'
import { jobsFor } from '../../support/jobs.ts'
import { type MovingClock, movingClock } from '../../support/moving-clock.ts'
import { temporaryFolder } from '../../support/service.ts'

const hour = 3600 * 1000
let folder: ReturnType<typeof temporaryFolder>
let db: Database
let clock: MovingClock

beforeEach(() => {
  folder = temporaryFolder()
  clock = movingClock(Date.parse('2026-11-20T09:30:00.000Z'))
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, clock.now())
})
afterEach(() => {
  vi.useRealTimers()
  db.close()
  folder.remove()
})

const config = () => ({ dataDir: folder.path, port: 0, portMayMove: false, rendererDir: null, logLevel: 'silent' as const })
const soundness = async (task: VerifyBackupTask) => verifyBackup(task)
const healthy: Health['storage'] = { state: 'ok', free_bytes: null, since: null, message: null }
const create = (verifyBackup = soundness) => createOn(healthy, { verifyBackup, runs: 0, restart: () => expect.unreachable() })
const createOn = (
  health: Health['storage'],
  {
    verifyBackup = soundness,
    runs = 1,
    restart = () => undefined,
  }: { verifyBackup?: typeof soundness; runs?: number; restart?: () => void },
) => {
  const jobs = jobsFor(db, clock)
  const kernel = { config: config(), db, clock, log: pino({ level: 'silent' }), storage: { read: () => health }, restart }
  const backups = createBackups(kernel, { jobs, workers: { verifyBackup }, runsUnderWay: () => runs })
  jobs.start()
  return {
    ...backups,
    begin: (kind: 'manual' | 'scheduled') => backups.begin(kind, { kind: 'service' }),
    restore: (name: string) => backups.restore(name, false, { kind: 'service' }),
    latestCheck: () => jobs.latest('backup_check'),
    settled: () => expect.poll(() => backups.read().running).toBeNull(),
    close: async () => {
      await backups.close()
      await jobs.close()
    },
  }
}
const files = () => readdirSync(join(folder.path, 'backups')).sort()

describe('a backup', () => {
  test('is whole though the database is written to meanwhile, and says how far it is', async () => {
    db.prepare('create table bulk (no integer primary key, text text) strict').run()
    const insert = db.prepare('insert into bulk (text) values (?)')
    db.transaction(() => {
      for (let i = 0; i < 20_000; i++) insert.run('x'.repeat(1000))
    })
    const backups = create()
    backups.begin('manual')
    const fractions = new Set<number>()
    let written = 0
    while (backups.read().running) {
      fractions.add(backups.read().running?.fraction ?? 1)
      insert.run('meanwhile')
      written++
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(backups.read()).toMatchObject({ last_failure: null, items: [{ kind: 'manual', created_at: '2026-11-20T09:30:00.000Z' }] })
    expect(fractions.size).toBeGreaterThan(5)
    expect(Math.max(...fractions)).toBeGreaterThan(0.8)
    expect(written).toBeGreaterThan(5)
    const copy = openDatabase(join(folder.path, 'backups', files()[0] ?? ''), { readonly: true })
    expect(copy.prepare('pragma integrity_check').pluck().get()).toBe('ok')
    expect(Number(copy.prepare(`select count(*) from bulk where text <> 'meanwhile'`).pluck().get())).toBe(20_000)
    copy.close()
  })

  test('that is not sound is thrown away, and the reason kept until one succeeds', async () => {
    const failing = create(async () => ({ fault: 'page 7 is nobody’s', proof: 'valid', log: null }))
    failing.begin('manual')
    await failing.settled()
    expect(failing.read()).toMatchObject({ items: [], running: null, last_failure: { message: expect.stringContaining('page 7') } })
    expect(files()).toEqual([])
  })

  test('that the service stops leaves no pieces and is made by the next start; pieces of a crash go with it', async () => {
    mkdirSync(join(folder.path, 'backups'))
    writeFileSync(join(folder.path, 'backups', 'manual-2026-11-19T00-00-00.000Z.db.partial'), 'x')
    const backups = create()
    backups.begin('manual')
    await backups.close()
    expect(files()).toEqual([])
    const next = create()
    await next.settled()
    expect(files()).toEqual(['manual-2026-11-20T09-30-00.000Z.db', 'manual-2026-11-20T09-30-00.000Z.db.mac'])
    await next.close()
  })

  test('is one at a time', async () => {
    const backups = create()
    for (let i = 0; i < 3; i++) backups.begin('manual')
    await backups.settled()
    expect(backups.read().items).toHaveLength(1)
  })
})

describe('keeping', () => {
  test('the newest of those made by hand and schedule, apart from those before migrations and other files', async () => {
    const backups = create()
    backups.setSchedule({ keep: 2 })
    const other = ['pre-v3-2026-11-01T00-00-00.000Z.db', 'notes.txt']
    mkdirSync(join(folder.path, 'backups'))
    for (const name of other) writeFileSync(join(folder.path, 'backups', name), 'x')
    for (const kind of ['manual', 'scheduled', 'manual'] as const) {
      clock.advance(hour)
      backups.begin(kind)
      await backups.settled()
    }
    expect(backups.read().items.map(({ kind, created_at }) => [kind, created_at])).toEqual([
      ['manual', '2026-11-20T12:30:00.000Z'],
      ['scheduled', '2026-11-20T11:30:00.000Z'],
      ['before_migration', '2026-11-01T00:00:00.000Z'],
    ])
    expect(files()).toEqual(expect.arrayContaining(other))
  })
})

describe('the schedule', () => {
  /** Looks as often as the time allows, then waits for what was begun. */
  const pass = async (backups: ReturnType<typeof create>, ms: number) => {
    clock.advance(ms)
    vi.advanceTimersByTime(5 * 60 * 1000)
    await backups.settled()
  }

  test('is daily unless changed, counts from the newest backup and catches up after sleep', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const backups = create()
    backups.start()
    await pass(backups, 0)
    expect(backups.read().items).toHaveLength(1)
    expect(backups.read().next_at).toBe('2026-11-21T09:30:00.000Z')
    await pass(backups, 23 * hour)
    expect(backups.read().items).toHaveLength(1)
    await pass(backups, 72 * hour)
    expect(backups.read().items.map(({ kind }) => kind)).toEqual(['scheduled', 'scheduled'])
    await backups.close()
  })

  test('can be off, and is remembered', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    create().setSchedule({ every: 'off' })
    const backups = create()
    backups.start()
    await pass(backups, 100 * hour)
    expect(backups.read()).toMatchObject({ items: [], next_at: null, schedule: { every: 'off', keep: 7 } })
    await backups.close()
  })

  test('waits after a failure as long as after a backup', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let tries = 0
    const backups = create(async () => ({ fault: `try ${++tries}`, proof: 'valid', log: null }))
    backups.start()
    await pass(backups, 0)
    await pass(backups, hour)
    expect(tries).toBe(1)
    await pass(backups, 24 * hour)
    expect(tries).toBe(2)
    await backups.close()
  })
})

test('going back waits for runs to end, but not on a damaged database, on which none of them can', async () => {
  const sound = createOn(healthy, {})
  sound.begin('manual')
  await sound.settled()
  const name = files()[0] ?? ''
  expect(() => sound.restore(name)).toThrow('A run is under way')
  const restart = vi.fn<() => void>()
  const damaged = createOn({ ...healthy, state: 'damaged' }, { restart })
  damaged.restore(name)
  await expect.poll(() => restart.mock.calls.length).toBe(1)
  await damaged.close()
})

test('a log that appears beside a backup after its check was asked for ends the check, and is no damage', async () => {
  let log: string | null = null
  const backups = create(async task => {
    if (log !== null && task.becomes === undefined) writeFileSync(task.path + log, 'a log')
    return verifyBackup(task)
  })
  backups.begin('manual')
  await backups.settled()
  const [name = ''] = files()
  for (const suffix of ['-wal', '-journal']) {
    log = suffix
    backups.check(name, { kind: 'service' })
    await expect.poll(() => backups.read().checking).toBeNull()
    expect(backups.latestCheck()).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('A log (') } })
    expect(backups.read().items).toMatchObject([{ name, fault: null, proof: 'valid' }])
    rmSync(join(folder.path, 'backups', name + suffix))
  }
  log = null
  backups.check(name, { kind: 'service' })
  await expect.poll(() => backups.read().checking).toBeNull()
  expect(backups.read().items).toMatchObject([{ fault: null }])
  await backups.close()
})

// Windows stores a file that was extended in full.
test.skipIf(process.platform === 'win32').each([
  ['is longer than its header states', () => undefined, 'it has 1.1 TB and states '],
  [
    'states the size of a sparse file',
    (path: string) => {
      const header = readFileSync(path)
      header.writeUInt32BE(2 ** 30, 28)
      writeFileSync(path, header)
    },
    'it has 1.1 TB, of which ',
  ],
  ['is another file', (path: string) => writeFileSync(path, 'x'.repeat(5000)), 'it has 1.1 TB and states 0 B'],
])('a backup that %s is refused without being read, however large', async (_how, change, said) => {
  const backups = create()
  backups.begin('manual')
  await backups.settled()
  const [name = ''] = files()
  const path = join(folder.path, 'backups', name)
  change(path)
  truncateSync(path, 2 ** 40)
  const expected = { fault: expect.stringContaining(said), proof: 'different' }
  expect(verifyBackup({ path })).toMatchObject(expected)
  const copy = join(folder.path, 'copy')
  expect(verifyBackup({ path: copy, copyOf: path })).toMatchObject(expected)
  expect(existsSync(copy)).toBe(false)
  rmSync(`${path}.mac`)
  const unproven = { ...expected, proof: 'missing' }
  expect(verifyBackup({ path })).toMatchObject(unproven)
  expect(verifyBackup({ path: copy, copyOf: path })).toMatchObject(unproven)
  await backups.close()
})

test('a check of a copied database that keeps a log leaves none beside it', async () => {
  const backups = create()
  backups.begin('manual')
  await backups.settled()
  const path = join(folder.path, 'backups', files()[0] ?? '')
  const copied = new Sqlite(path)
  copied.pragma('journal_mode = WAL')
  copied.close()
  expect(verifyBackup({ path })).toEqual({ fault: null, proof: 'different', log: null })
  expect(readdirSync(join(folder.path, 'backups')).filter(name => /-(?:wal|shm)$/.test(name))).toEqual([])
  await backups.close()
})

test.each(['-wal', '-journal'])('a %s that appears while a backup is read is named, and not written into it', async suffix => {
  const backups = create()
  backups.begin('manual')
  await backups.settled()
  const path = join(folder.path, 'backups', files()[0] ?? '')
  const before = readFileSync(path)
  const checked = verifyBackupFile(path, () => {
    writeFileSync(path + suffix, 'a log')
    return null
  })
  const log = expect.stringContaining(`A log (${basename(path)}${suffix}) is next to`)
  expect(checked).toEqual({ fault: log, proof: 'valid', log })
  expect(readFileSync(path).equals(before)).toBe(true)
  await backups.close()
})

test.each(['-wal', '-journal'])('a check changes nothing where a %s lies beside the backup, and says so', async suffix => {
  const backups = create()
  backups.begin('manual')
  await backups.settled()
  const [name = ''] = files()
  const path = join(folder.path, 'backups', name)
  const other = new Sqlite(join(folder.path, 'other.db'))
  onTestFinished(() => void other.close())
  copyFileSync(path, other.name)
  other.pragma('journal_mode = WAL')
  other.prepare("insert into workspaces (id, name, created_at) values ('planted', 'planted', '')").run()
  copyFileSync(`${other.name}-wal`, path + suffix)
  const before = readFileSync(path)
  expect(verifyBackup({ path })).toMatchObject({ log: expect.stringContaining(`A log (${name}${suffix}) is next to`), proof: 'valid' })
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(() => backups.check(name, { kind: 'service' })).toThrow('Move it away and check again')
  expect(backups.read().items).toMatchObject([{ name, fault: null }])
  truncateSync(path + suffix)
  expect(verifyBackup({ path })).toEqual({ fault: null, proof: 'valid', log: null })
  await backups.close()
})
