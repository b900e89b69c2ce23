import { z } from 'zod'
import type { CommitCount } from '../../storage/commit-file.ts'
import type { Database } from '../../storage/database.ts'

const Count = z.object({ commits: z.int(), at: z.int() })

/** How many commits the database has. */
export function commitCount(db: Database): CommitCount {
  return Count.parse(db.prepare('select commits, at from commits').get())
}

export function continueCount(db: Database, { commits, at }: CommitCount): void {
  db.prepare('update commits set commits = ?, at = ?').run(commits, at)
}
