import type { Database } from '../../storage/database.ts'

/** Milliseconds that a write may wait for others, so that one flush to the disk serves many calls. */
const flushDelayMs = 2

/** Writes that end up in one transaction. */
export interface GroupCommit {
  /** Resolves with the result once it is durable; rejects together with all writes of its transaction. */
  write<T>(work: () => T): Promise<T>
}

export function createGroupCommit(db: Pick<Database, 'transaction'>): GroupCommit {
  let waiting: { run(): () => void; fail(error: unknown): void }[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    try {
      const finished = db.transaction(() => group.map(({ run }) => run()))
      for (const resolve of finished) resolve()
    } catch (error) {
      for (const { fail } of group) fail(error)
    }
  }
  return {
    write: work =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(flush, flushDelayMs)
        waiting.push({
          run: () => {
            const result = work()
            return () => resolve(result)
          },
          fail: reject,
        })
      }),
  }
}
