import { setTimeout as sleep } from 'node:timers/promises'
import { lockWaitMs } from '../../storage/busy.ts'
import type { Database } from '../../storage/database.ts'
import { databaseBusy } from './errors.ts'

/** Milliseconds between two looks. */
const lookEveryMs = 25

/**
 * Resolves when no other program holds the database. A write that waited inside SQLite would stop the loop, and every read with it
 * (decisions/0005-synchronous-storage.md).
 * @throws ApiError unavailable
 */
export async function awaitDatabase(db: Pick<Database, 'isHeld'>, waitMs = lockWaitMs): Promise<void> {
  const until = performance.now() + waitMs
  while (db.isHeld()) {
    if (performance.now() >= until) throw databaseBusy()
    await sleep(lookEveryMs)
  }
}
