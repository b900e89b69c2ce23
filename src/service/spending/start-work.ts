import type { Database } from '../../storage/database.ts'
import { authorizeSpending, type Work } from './authorize-spending.ts'

export type { Work }

/**
 * The one place where work begins that can cause calls. It is authorized before anything is stored, and what `begin` stores is taken back
 * where a later check refuses.
 * @param starterId of a session, person or key; empty: the service itself
 * @throws ApiError unauthenticated, workspace_forbidden, missing_scope, spend_ceiling_reached
 */
export function startWork<T>(db: Database, starterId: string, work: Work, now: string, begin: () => T): T {
  return db.transaction(() => {
    authorizeSpending(db, starterId, work, now)
    return begin()
  })
}
