import type { ComparedTask, Comparison } from '../../../contract/comparisons/comparisons.schemas.ts'
import { csvRow } from '../../../lib/csv.ts'
import { bufferedWriter } from './buffered-writer.ts'
import type { Write } from './report-sample.ts'

/**
 * A row per aligned task: `value.<run>`, `status.<run>` and `sample.<run>` for each run, `change.<run>` for each contender. Runs are
 * named by their labels, which no two of a comparison share.
 */
export async function renderComparisonCsv({ runs }: Comparison, tasks: Iterable<ComparedTask>, write: Write): Promise<void> {
  const out = bufferedWriter(write)
  const outcomes = runs.flatMap(({ label }) => [`value.${label}`, `status.${label}`, `sample.${label}`])
  const changes = runs.filter(run => !run.baseline).map(({ label }) => `change.${label}`)
  await out.write(csvRow(['position', 'source_ref', 'profile_id', 'metric', 'task_id', ...outcomes, ...changes, 'capabilities', 'preview']))
  for (const task of tasks) {
    await out.write(
      csvRow([
        task.position,
        task.source_ref,
        task.profile_id,
        task.metric,
        task.task_id,
        ...task.outcomes.flatMap(({ value, status, sample_id }) => [value, status, sample_id]),
        ...task.changes.map(({ change }) => change),
        JSON.stringify(task.capabilities),
        task.preview,
      ]),
    )
  }
  await out.flush()
}
