import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCallLog } from '../../../src/service/runs/call-log.ts'
import { callsUnknownTo } from '../../../src/service/runs/unknown-calls.store.ts'
import { openDatabase } from '../../../src/storage/database.ts'
import { migrate } from '../../../src/storage/migrate.ts'
import { temporaryFolder } from '../../support/service.ts'

test('calls that were begun are unknown where the database lacks their sample or their claim of it', () => {
  const folder = temporaryFolder()
  const db = openDatabase(join(folder.path, 'assay.db'))
  try {
    migrate(db, new Date(0))
    db.pragma('foreign_keys = off')
    const insert = db.prepare(
      'insert into samples (run_no, position, profile_no, task_no, epoch, status, fence) values (1, ?, 0, 1, 1, ?, ?)',
    )
    insert.run(0, 'calling', 2)
    insert.run(1, 'pending', 1)
    const path = join(folder.path, 'calls-begun')
    const log = createCallLog(path, db.path)
    log.restart(true)
    log.begin(1, { position: 0, fence: 2, attempt: 1 }, 1)
    expect(callsUnknownTo(db, path)).toBe(0)
    log.begin(1, { position: 1, fence: 2, attempt: 1 }, 1)
    log.begin(1, { position: 9, fence: 1, attempt: 1 }, 1)
    log.begin(2, { position: 0, fence: 1, attempt: 1 }, 1)
    expect(callsUnknownTo(db, path)).toBe(3)
    log.close()
  } finally {
    db.close()
    folder.remove()
  }
})
