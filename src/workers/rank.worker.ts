import type { NewRanking } from '../contract/comparisons/rankings.schemas.ts'
import { rankModels, type RankingOutcome } from '../engine/reporting/comparisons/rank-models.ts'

/** Ranks models off the service's loop: a bootstrap of many battles takes seconds. */
export default function rank(question: NewRanking): RankingOutcome {
  return rankModels(question)
}
