import { statSync } from 'node:fs'
import { atIntervals } from '../background.ts'
import type { Kernel } from '../kernel.ts'

/** Milliseconds between two looks. */
const lookEvery = 30_000

/** Bytes of the write-ahead log that stay: what the next writes fill again. */
const kept = 4 * 1024 * 1024

/**
 * Takes the write-ahead log back to nothing when nothing has been written for a while. While there is work, SQLite reuses the file from
 * its beginning every thousand pages; only a reader that takes long lets it grow, and it would stay that long.
 */
export function keepLogShort({ db, log }: Pick<Kernel, 'db' | 'log'>) {
  let before = changes(db)
  const look = () => {
    const now = changes(db)
    const isIdle = now === before
    before = now
    if (!isIdle || (statSync(`${db.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= kept) return
    // A reader that is still at it is not waited for: the next look comes.
    db.withoutWaiting(() => db.pragma('wal_checkpoint(TRUNCATE)'))
  }
  return atIntervals(log, lookEvery, look, 'the write-ahead log could not be shortened')
}

/** Differs after any write: of this connection, or of another such as that of the thread that stores runs. */
function changes(db: Kernel['db']): string {
  return `${String(db.prepare('select total_changes()').pluck().get())} ${String(db.prepare('pragma data_version').pluck().get())}`
}
