import { parseTextQuery, type TextMatch } from '../lib/text-query.ts'
import { matchingTasks } from '../storage/reads/matching-tasks.ts'
import { openReader } from './database-path.ts'

export interface TaskSearch {
  readonly versionNo: number
  readonly q: string
  readonly match: TextMatch
}

/** Positions of the tasks of a version that match, off the service's loop; null where the text searches nothing. */
export default function searchTasks({ versionNo, q, match }: TaskSearch): number[] | null {
  const query = parseTextQuery(q, match)
  if (query === null) return null
  const db = openReader()
  try {
    return matchingTasks(db, versionNo, query)
  } finally {
    db.close()
  }
}
