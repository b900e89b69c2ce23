import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { createSampleFiller } from '../../../src/storage/runs/fill-samples.store.ts'
import { fillDatabase } from '../../support/filled-database.ts'
import { temporaryFolder } from '../../support/service.ts'

let folder: ReturnType<typeof temporaryFolder>
let db: Database

beforeEach(() => {
  folder = temporaryFolder()
  db = openDatabase(join(folder.path, 'assay.db'))
  migrate(db, new Date(0))
  fillDatabase(db)
  const insert = db.prepare(`insert into samples (run_no, position, profile_no, task_no, epoch, status) values (1, ?, 0, 1, 1, ?)`)
  for (const [i, status] of ['cancelled', 'failed', 'missing', 'scored', 'failed', 'cancelled'].entries()) insert.run(2 + i, status)
})
afterEach(() => {
  db.close()
  folder.remove()
})

const made = () => db.prepare('select position from samples where run_no = 2 and position > 1 order by position').pluck().all()

test('makes the unscored samples of a part in the order of the run, whatever their status, also after a restart', () => {
  const first = createSampleFiller(db, 2, { kind: 'failed', of: 1 })
  expect([first.fill(2), made()]).toEqual([2, [2, 3]])
  expect([first.fill(1), made()]).toEqual([1, [2, 3, 4]])
  const restarted = createSampleFiller(db, 2, { kind: 'failed', of: 1 })
  expect([restarted.fill(2), restarted.fill(9), restarted.fill(9), made()]).toEqual([2, 3, 0, [2, 3, 4, 6, 7]])
})

test.each([
  ['a run', { kind: 'tasks', taskNumbers: [[1, 1, 1, 1]], epochs: 1 }, [2, 3]],
  ['a part', { kind: 'failed', of: 1 }, [2, 3]],
] as const)('makes the samples of %s again that a full disk rolled back', (_, frozen, positions) => {
  const filler = createSampleFiller(db, 2, frozen)
  db.prepare(`create trigger full before insert on samples when new.position = 3 begin select raise(abort, 'no room'); end`).run()
  expect(() => filler.fill(2)).toThrow('no room')
  db.prepare('drop trigger full').run()
  expect([filler.fill(2), made()]).toEqual([2, positions])
})
