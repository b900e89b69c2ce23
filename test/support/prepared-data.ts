import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { missingBenchmarks } from '../../src/service/catalog/index.ts'
import { systemClock } from '../../src/service/kernel.ts'
import { missingSuites } from '../../src/service/suites/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** Made once per process; 2 MB. */
let prepared: Buffer | undefined

/**
 * Writes the database that a first start would make, with the newest schema and what ships with Assay, but no owner and no workspace
 * yet: the service finds these two steps done, which are most of the time of a first start.
 */
export function prepareData(dataDir: string): void {
  prepared ??= makeDatabase()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'assay.db'), prepared, { mode: 0o600 })
}

function makeDatabase(): Buffer {
  const folder = temporaryFolder()
  try {
    const path = join(folder.path, 'assay.db')
    const db = openDatabase(path)
    db.pragma('synchronous = OFF')
    migrate(db, systemClock.now())
    const kernel = { db, clock: systemClock, log: pino({ level: 'error' }) }
    db.transaction(() => {
      for (const step of missingBenchmarks(kernel)) step()
      for (const step of missingSuites(kernel)) step()
    })
    // Closing puts the log of changes into the file.
    db.close()
    return readFileSync(path)
  } finally {
    folder.remove()
  }
}
