import { recommend, type RecommendationAnswer, type RecommendationQuestion } from '../engine/reporting/recommendations/recommend.ts'
import { readTaskHistory } from '../storage/reads/task-history.ts'
import { createTaskSearch } from '../storage/reads/task-search.ts'
import { openReader } from './database-path.ts'

/** Finds tasks for an objective off the service's loop. */
export default function recommendTasks(question: RecommendationQuestion): RecommendationAnswer {
  const db = openReader()
  try {
    return recommend(question, { ...createTaskSearch(db), history: (workspaceId, numbers) => readTaskHistory(db, workspaceId, numbers) })
  } finally {
    db.close()
  }
}
