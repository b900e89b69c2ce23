import { packAlignedTasks } from '../engine/reporting/comparisons/aligned-tasks.ts'
import type { Refusal } from '../engine/reporting/comparisons/check-comparability.ts'
import { compareRuns, type ComparisonQuestion, type ComputedComparison } from '../engine/reporting/comparisons/compare-runs.ts'
import { readComparisonSamples } from '../storage/reads/comparison-samples.ts'
import { openReader } from './database-path.ts'

export type CompareDone =
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] }
  | { readonly kind: 'compared'; readonly computed: ComputedComparison; readonly tasks: Uint8Array }

/** Compares ended runs off the service's loop. */
export default function compare(question: ComparisonQuestion): CompareDone {
  const db = openReader()
  try {
    const outcome = compareRuns(question, run => readComparisonSamples(db, run.runId, run.resultVersion))
    return outcome.kind === 'refused' ? outcome : { ...outcome, tasks: packAlignedTasks(outcome.tasks) }
  } finally {
    db.close()
  }
}
