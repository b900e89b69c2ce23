import type { AnnotationSummary } from '../../contract/annotations/annotations.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { Database } from '../../storage/database.ts'
import { readRunAnnotations } from '../../storage/reads/annotations.ts'
import { primaryScores } from './leaderboard.store.ts'
import { type PartRow, partsOfRuns } from './parts.store.ts'
import { openRegradeVersions } from './regrades.store.ts'
import { countsOfRuns } from './runs.store.ts'

/** What is stored of a run in other tables, as its description shows it. */
export interface StoredRunFacts {
  /** Samples by status; the reader's own. */
  readonly counts: Map<string, number>
  readonly parts: readonly PartRow[]
  readonly annotations: AnnotationSummary
  readonly scores: Run['scores']
  /** Result version that a regrade under way makes; null: there is none. */
  readonly regradeVersion: number | null
}

/** Each table is asked once, however many runs a page shows. */
export function readRunFacts(db: Database, runNos: readonly number[]): (runNo: number) => StoredRunFacts {
  const counts = countsOfRuns(db, runNos)
  const parts = partsOfRuns(db, runNos)
  const annotations = readRunAnnotations(db, runNos)
  const scores = primaryScores(db, runNos)
  const regrades = openRegradeVersions(db, runNos)
  return no => ({
    counts: new Map(counts.get(no)),
    parts: parts.get(no) ?? [],
    annotations: annotations(no),
    scores: (scores.get(no) ?? []).map(({ profile_id, biased, metric }) => ({ profile_id, ...metric, biased })),
    regradeVersion: regrades.get(no) ?? null,
  })
}
