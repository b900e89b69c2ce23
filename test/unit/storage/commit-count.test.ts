import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { beginCommitFile, joinCommitFile, readCommitFile } from '../../../src/storage/commit-file.ts'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
let db: Database
let undo: (() => void)[]
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'assay.db')
  db = openDatabase(path)
  migrate(db, new Date(0))
  undo = []
})
afterEach(() => {
  for (const step of undo) step()
  db.close()
  folder.remove()
})

let time = 0
function follow(): void {
  const file = beginCommitFile(path, { commits: 0, at: 0 })
  undo.push(file.close)
  db.countCommits(() => ++time, file.note)
}
const inDatabase = (of = db) => of.prepare('select commits, at from commits').get()
const insert = (of: Database, name: string) => of.prepare('insert into settings values (?, ?)').run(name, '1')

describe('a commit', () => {
  test('is counted in the database and beside it, with its time', () => {
    follow()
    for (const name of ['a', 'b', 'c']) db.transaction(() => insert(db, name))
    expect(inDatabase()).toEqual({ commits: 3, at: time })
    expect(readCommitFile(path)).toEqual({ commits: 3, at: time })
  })

  test('of nothing is not counted, and writes nothing', () => {
    follow()
    db.transaction(() => insert(db, 'a'))
    db.transaction(() => db.prepare('select * from settings').all())
    db.transaction(() => db.transaction(() => undefined))
    expect(inDatabase()).toMatchObject({ commits: 1 })
  })

  test('that is rolled back is in neither', () => {
    follow()
    const failing = () =>
      db.transaction(() => {
        insert(db, 'a')
        throw new Error('no')
      })
    expect(failing).toThrow('no')
    expect([inDatabase(), readCommitFile(path)]).toMatchObject([{ commits: 0 }, { commits: 0 }])
  })

  test('is of a transaction: a single statement outside of one is not counted', () => {
    follow()
    insert(db, 'a')
    db.transaction(() => undefined)
    expect([inDatabase(), readCommitFile(path)]).toMatchObject([{ commits: 0 }, { commits: 0 }])
  })

  test('of either connection counts on, whichever notes it last', () => {
    follow()
    const second = openDatabase(path, { turns: db.turns })
    undo.push(second.close)
    const file = joinCommitFile(path)
    if (!file) throw new Error('There is no file to join.')
    undo.push(file.close)
    const late: Parameters<typeof file.note>[0][] = []
    second.countCommits(
      () => ++time,
      count => late.push(count),
    )
    second.transaction(() => insert(second, 'a'))
    db.transaction(() => insert(db, 'b'))
    for (const count of late) file.note(count)
    expect(inDatabase()).toMatchObject({ commits: 2 })
    expect(readCommitFile(path)).toMatchObject({ commits: 2 })
  })
})

describe('the count beside the database', () => {
  const file = () => join(folder.path, 'commits-made')

  test('is not believed of another database', () => {
    follow()
    db.transaction(() => insert(db, 'a'))
    db.pragma('wal_checkpoint(truncate)')
    db.close()
    copyFileSync(path, `${path}.copy`)
    rmSync(path)
    copyFileSync(`${path}.copy`, path)
    db = openDatabase(path)
    expect(readCommitFile(path)).toBeNull()
  })

  test('is not believed where it is absent, cut off or torn', () => {
    follow()
    db.transaction(() => insert(db, 'a'))
    const whole = readFileSync(file())
    writeFileSync(file(), whole.subarray(0, 140))
    expect(readCommitFile(path)).toBeNull()
    const torn = Buffer.from(whole)
    torn.writeDoubleBE(77, 128)
    writeFileSync(file(), torn)
    expect(readCommitFile(path)).toBeNull()
    rmSync(file())
    expect(readCommitFile(path)).toBeNull()
    expect(joinCommitFile(path)).toBeNull()
  })
})
