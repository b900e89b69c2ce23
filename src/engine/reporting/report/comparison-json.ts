import type { ComparedTask, Comparison } from '../../../contract/comparisons/comparisons.schemas.ts'
import { bufferedWriter } from './buffered-writer.ts'
import type { Write } from './report-sample.ts'
import { sortedJson } from './sorted-json.ts'

/** Raised whenever a reader of the older form would misread the newer. */
const formatVersion = 1

/** The lossless export: the comparison and every aligned task, one task per line. */
export async function renderComparisonJson(comparison: Comparison, tasks: Iterable<ComparedTask>, write: Write): Promise<void> {
  const out = bufferedWriter(write)
  await out.write(`{"format":"assay.comparison","format_version":${formatVersion},"comparison":${sortedJson(comparison)},"tasks":[`)
  let separator = '\n'
  for (const task of tasks) {
    await out.write(separator + sortedJson(task))
    separator = ',\n'
  }
  await out.write('\n]}\n')
  await out.flush()
}
