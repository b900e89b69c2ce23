import type { ComparedTask, Comparison } from '../contract/comparisons/comparisons.schemas.ts'
import { unpackAlignedTasks } from '../engine/reporting/comparisons/aligned-tasks.ts'
import { toComparedTask } from '../engine/reporting/comparisons/compared-task.ts'
import { renderComparisonCsv } from '../engine/reporting/report/comparison-csv.ts'
import { renderComparisonJson } from '../engine/reporting/report/comparison-json.ts'
import { renderComparisonReport } from '../engine/reporting/report/comparison-report.ts'
import type { Database } from '../storage/database.ts'
import { packedTasks } from '../storage/reads/packed-tasks.ts'
import { taskTexts } from '../storage/reads/task-texts.ts'
import { sampleId } from '../storage/sample-id.ts'
import { openReader } from './database-path.ts'
import { type ExportDone, writeExportFile } from './export-file.ts'

export interface ComparisonReportTask {
  readonly comparison: Comparison
  readonly format: 'json' | 'csv' | 'html'
  /** Path of the finished file. */
  readonly path: string
}

export default async function writeComparisonReport({ comparison, format, path }: ComparisonReportTask): Promise<ExportDone> {
  const db = openReader()
  try {
    const render = { json: renderComparisonJson, csv: renderComparisonCsv, html: renderComparisonReport }[format]
    return await writeExportFile(path, write => render(comparison, tasksOf(comparison, db), write))
  } finally {
    db.close()
  }
}

function* tasksOf(comparison: Comparison, db: Database): Generator<ComparedTask> {
  const tasks = unpackAlignedTasks(packedTasks(db, comparison.id))
  const textOf = taskTexts(db)
  for (const [position, no] of tasks.taskNo.entries()) yield toComparedTask(comparison, tasks, position, textOf(no), sampleId)
}
