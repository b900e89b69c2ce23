import type { StorageUse } from '../../contract/storage/storage.schemas.ts'
import type { Database } from '../../storage/database.ts'

/** How many answers later runs may take, and since when. */
export function cacheUse(db: Database): StorageUse['cache'] {
  const { answers, oldest } = db.first(
    db.sql.selectFrom('cached_answers').select(e => [e.fn.countAll<number>().as('answers'), e.fn.min('run_no').as('oldest')]),
  ) ?? { answers: 0, oldest: null }
  const run = oldest === null ? undefined : db.first(db.sql.selectFrom('runs').select('created_at').where('no', '=', oldest))
  return { answers, oldest_at: run?.created_at ?? null }
}

/** Forgets up to a number of answers. @returns false when none is left */
export function forgetAnswers(db: Database, limit: number): boolean {
  const some = db.sql.selectFrom('cached_answers').select('key').limit(limit)
  return db.run(db.sql.deleteFrom('cached_answers').where('key', 'in', some)).changes === limit
}
