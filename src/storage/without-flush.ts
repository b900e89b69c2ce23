import type { Database } from './database.ts'

/**
 * Runs transactions without waiting for the disk each time: for rows that are invisible until a later transaction, whose flush takes all
 * earlier ones with it. After a power failure the last of them can be missing, in order and whole. Not for use inside a transaction.
 */
export function withoutFlush<Result>(db: Pick<Database, 'pragma'>, work: () => Result): Result {
  db.pragma('synchronous = NORMAL')
  try {
    return work()
  } finally {
    db.pragma('synchronous = FULL')
  }
}
