import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listBackupFiles } from '../../../src/service/backups/index.ts'
import { openData } from '../../../src/service/lifecycle/open-data.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { UpdateSpaceError } from '../../../src/storage/migrate.ts'
import { migrations } from '../../../src/storage/migrations/migrations.ts'
import { asFilled, kept, makeOldDatabase } from '../../support/old-schema.ts'
import { temporaryFolder } from '../../support/service.ts'

const now = new Date('2026-11-22T00:00:00.000Z')
const newest = migrations.length
const here = (name: string) => fileURLToPath(new URL(`../../support/${name}`, import.meta.url))

let folder: ReturnType<typeof temporaryFolder>
let said: string[]
beforeEach(() => {
  folder = temporaryFolder()
  said = []
})
afterEach(() => folder.remove())

const databaseIn = (dataDir: string) => join(dataDir, 'assay.db')
/** But for the MAC beside each. */
const copies = () =>
  readdirSync(join(folder.path, 'backups'))
    .filter(name => !name.endsWith('.mac'))
    .sort()
const open = () => openData(folder.path, now, line => said.push(line)).db.close()

function change(sql: string, dataDir = folder.path): void {
  const db = openDatabase(databaseIn(dataDir))
  db.prepare(sql).run()
  db.close()
}

/** An old database of some megabytes, so that copying it takes a while. */
function makeLargeDatabase(dataDir = folder.path): void {
  makeOldDatabase(databaseIn(dataDir), 1)
  change(
    'create table filler as with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000) select randomblob(1000) as x from n',
    dataDir,
  )
}

/** Makes the update fail: a table that it makes is there already. @returns what makes it succeed */
function makeUpdateFail(): () => void {
  const name = migrations.flatMap(({ sql }) => /^create table (?!if )(\w+)/m.exec(sql)?.[1] ?? []).at(-1)
  change(`create table ${name} (x)`)
  return () => change(`drop table ${name}`)
}

describe('an update', () => {
  const moments = ['copying:1', 'copying:1', 'naming:1', 'statement:40', 'statement:60', 'statement:40']
  test('that is killed at each start leaves one copy, which is used again, and no pieces', () => {
    makeLargeDatabase()
    const start = (killAt: string) =>
      spawnSync(process.execPath, ['--import', here('kill-at.ts'), here('open-data-process.ts'), folder.path], {
        env: { ...process.env, ASSAY_KILL_AT: killAt },
      })
    const found = new Set<number>()
    for (const kill of moments) {
      expect({ kill, signal: start(kill).signal }).toEqual({ kill, signal: 'SIGKILL' })
      expect(kept(databaseIn(folder.path))).toEqual({ version: 1, ...asFilled })
      const whole = copies().filter(name => name.endsWith('.db'))
      // What the kill itself cut off, its journal beside it, and no more.
      const pieces = new Set(copies().flatMap(name => /^(.*\.partial)(?:-journal)?$/.exec(name)?.[1] ?? []))
      expect({ kill, whole: whole.length <= 1, pieces: pieces.size <= 1 }).toEqual({ kill, whole: true, pieces: true })
      for (const name of whole) found.add(statSync(join(folder.path, 'backups', name)).ino)
    }
    expect(start('').status).toBe(0)
    expect(copies()).toEqual([expect.stringMatching(new RegExp(`^pre-v${newest}-[0-9a-f]{12}\\.db$`))])
    // The one that was verified first was used by all that came later.
    expect(found.size).toBe(1)
    expect(kept(databaseIn(folder.path))).toEqual({ version: newest, ...asFilled })
    expect(kept(join(folder.path, 'backups', copies()[0] ?? ''))).toEqual({ version: 1, ...asFilled })
  })

  test('that fails uses its copy again and says so, until it succeeds', () => {
    makeOldDatabase(databaseIn(folder.path), 1)
    const mend = makeUpdateFail()
    for (let i = 0; i < 4; i++) expect(open).toThrow(/already exists/)
    const [first, ...others] = copies()
    expect(others).toEqual([])
    // Steps are told when an update takes more than a second.
    expect(said.filter(line => !line.includes(': step '))).toEqual([
      expect.stringMatching(
        /^Updating the database .*assay\.db from schema 1 to \d+\. First it is copied to .*pre-v.* \(.* kB; .* are free\)/,
      ),
      expect.stringMatching(/^Copied and verified in .* s\.$/),
      ...Array.from({ length: 3 }, () => expect.stringMatching(/verified copy in .* is of this state and is used again/)),
    ])
    mend()
    open()
    // What was changed in between is another state.
    expect(copies()).toHaveLength(2)
    expect(copies()).toContain(first)
    expect(said.at(-1)).toBe(`The database is up to date (schema ${newest}).`)
  })

  test('that fails after other changes each time keeps the three newest copies, listed with their time', () => {
    makeOldDatabase(databaseIn(folder.path), 1)
    makeUpdateFail()
    for (let day = 1; day <= 5; day++) {
      change(`update workspaces set name = 'Kept ${day}'`)
      expect(() => openData(folder.path, new Date(`2026-11-0${day}T00:00:00.000Z`))).toThrow(/already exists/)
    }
    expect(listBackupFiles(folder.path).map(({ kind, created_at }) => [kind, created_at])).toEqual(
      ['05', '04', '03'].map(day => ['before_migration', `2026-11-${day}T00:00:00.000Z`]),
    )
  })

  test('leaves pieces of other copies alone, which may be under way', () => {
    makeOldDatabase(databaseIn(folder.path), 1)
    open()
    writeFileSync(join(folder.path, 'backups', 'manual-2026-11-22T00-00-00.000Z.db.partial'), 'x')
    writeFileSync(join(folder.path, 'backups', 'pre-v2-2026-11-22T00-00-00.000Z.db.partial'), 'x')
    change('pragma user_version = 1')
    expect(open).toThrow()
    expect(copies().filter(name => name.endsWith('.partial'))).toEqual(['manual-2026-11-22T00-00-00.000Z.db.partial'])
  })

  const small = temporaryFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=10m,mode=0700', 'tmpfs', small.path]).status === 0
  test.skipIf(!mounted)(
    `is refused where the disk has no room for it${mounted ? '' : ' (skipped: no small disk can be mounted here)'}`,
    () => {
      try {
        makeLargeDatabase(small.path)
        const start = () => openData(small.path, now)
        expect(start).toThrow(UpdateSpaceError)
        expect(start).toThrow(/needs \d+ MB on the disk of .*; .* MB are free\. Nothing was changed: free some space/)
        expect(readdirSync(join(small.path, 'backups'))).toEqual([])
        expect(kept(databaseIn(small.path))).toEqual({ version: 1, ...asFilled })
      } finally {
        spawnSync('umount', [small.path])
        small.remove()
      }
    },
  )
})
