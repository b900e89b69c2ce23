import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mulberry32 } from '../../../src/engine/statistics/random.ts'
import { post } from '../../../src/storage/billing/transfers.store.ts'
import { examine } from '../../../src/service/doctor/index.ts'
import { DamagedDatabaseError, openData } from '../../../src/service/lifecycle/open-data.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { examinePages } from '../../../src/storage/examine-pages.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { everyKill } from '../../support/every-kill.ts'
import { filledAt, fillDatabase } from '../../support/filled-database.ts'
import { temporaryFolder } from '../../support/service.ts'

const now = new Date(filledAt)
const pageSize = 4096
/** Of the pages of tables and indexes that are empty; every page with `npm run test:faults`. */
const emptyStep = everyKill ? 1 : 10
let folder: ReturnType<typeof temporaryFolder>
let path: string
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'assay.db')
})
afterEach(() => folder.remove())

function make(): Database {
  const db = openDatabase(path)
  migrate(db, now)
  fillDatabase(db)
  return db
}

/** Numbers from 0 of the pages that have rows, with the tables and indexes that they are of. */
function filledPages(db: Database): { readonly pages: ReadonlySet<number>; readonly names: readonly string[] } {
  const rows = z
    .array(z.object({ name: z.string(), pageno: z.int() }))
    .parse(db.prepare('select name, pageno from dbstat where ncell > 0').all())
  return { pages: new Set(rows.map(({ pageno }) => pageno - 1)), names: [...new Set(rows.map(({ name }) => name))] }
}

/** A service that was killed leaves this; then every page is looked at before anything is done with them. */
const leaveServiceFile = (dataDir: string) =>
  writeFileSync(
    join(dataDir, 'service.json'),
    JSON.stringify({
      base_url: 'http://127.0.0.1:1',
      workspace_id: '01a1fc63-87cf-72ca-b61c-7c4bba51b062',
      api_key: 'asy_x',
      session_token: 'asn_x',
      pid: 1,
      version: '0.1.0',
      started_at: filledAt,
    }),
  )

describe('a log of changes that is torn', () => {
  test('at any point, cut off or garbled, leaves a database that is sound and balanced, with the changes before that point', () => {
    const db = make()
    db.pragma('wal_checkpoint(truncate)')
    db.pragma('wal_autocheckpoint = 0')
    for (let i = 0; i < 200; i++)
      post(db, { id: `t${i}`, workspaceId: 'w', from: 'funding', to: 'budget', amount: 1n, kind: 'allotment', at: filledAt })
    const log = readFileSync(`${path}-wal`)
    const torn = join(folder.path, 'torn')
    mkdirSync(torn)
    copyFileSync(path, join(torn, 'whole.db'))
    db.close()

    const random = mulberry32(11)
    const prefixes = new Set<number>()
    for (let i = 0; i < 45; i++) {
      const at = Math.floor(random() * log.length)
      const rest = Buffer.from(log)
      if (i % 3 === 1) rest.fill(0x5a, at, at + 600)
      if (i % 3 === 2) rest.writeUInt8((rest[at] ?? 0) ^ 1, at)
      const dataDir = join(torn, String(i))
      mkdirSync(dataDir)
      copyFileSync(join(torn, 'whole.db'), join(dataDir, 'assay.db'))
      writeFileSync(join(dataDir, 'assay.db-wal'), i % 3 === 0 ? rest.subarray(0, at) : rest)
      leaveServiceFile(dataDir)
      const opened = openData(dataDir, now)
      prefixes.add(Number(opened.db.prepare(`select count(*) from transfers where id glob 't[0-9]*'`).pluck().get()))
      opened.db.close()
      const { findings } = examine({ dataDir, backup: false, now })
      expect({ i, at, faulty: findings.filter(finding => finding.faults.length > 0) }).toEqual({ i, at, faulty: [] })
      rmSync(dataDir, { recursive: true })
    }
    // The points were spread over the whole log, and not all before the first change.
    expect(prefixes.size).toBeGreaterThan(15)
  })
})

describe('a database with a page that is garbled', () => {
  test('opens, or is named as damaged and left as it is: each page with rows and some of the empty ones, none of them by a crash', () => {
    const db = make()
    const { pages: filled, names } = filledPages(db)
    expect(names).toEqual(
      expect.arrayContaining(['sqlite_schema', 'workspaces', 'accounts', 'transfers', 'quotes', 'runs', 'samples', 'attempts', 'scores']),
    )
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    const whole = readFileSync(path)
    leaveServiceFile(folder.path)
    const outcomes = { damaged: 0, opened: 0 }
    for (let page = 0; page < whole.length / pageSize; page++) {
      if (!filled.has(page) && page % emptyStep !== 0) continue
      const garbled = Buffer.from(whole).fill(0xa5, page * pageSize, page * pageSize + 700)
      writeFileSync(path, garbled)
      for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
      try {
        openData(folder.path, now).db.close()
        outcomes.opened++
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedDatabaseError)
        expect({ page, same: readFileSync(path).equals(garbled), moved: existsSync(path) }).toEqual({ page, same: true, moved: true })
        // What the weekly look would have found as well.
        expect(examinePages(path)).not.toEqual([])
        outcomes.damaged++
      }
    }
    expect(outcomes.damaged).toBeGreaterThan(outcomes.opened)
  })

  test('is found by the weekly look, which a sound one passes', () => {
    const db = make()
    db.pragma('wal_checkpoint(truncate)')
    expect(examinePages(path)).toEqual([])
    db.pragma('foreign_keys = off')
    db.prepare(`insert into members values ('nowhere', 'nobody', 'owner', '')`).run()
    expect(examinePages(path)).toContain('row ? of members names what is missing in people')
    db.close()
    // What cannot be read is not damaged for that.
    rmSync(path)
    expect(() => examinePages(path)).toThrow(expect.objectContaining({ code: 'SQLITE_CANTOPEN' }))
  })
})
