import type { BenchmarkDetail } from '../contract/index.ts'
import { renderCroissant } from '../engine/reporting/exports/benchmark-croissant.ts'
import { openDatabase } from '../storage/database.ts'
import { readTaskSplits } from '../storage/reads/task-splits.ts'
import { databasePath } from './database-path.ts'
import { type ExportDone, writeExportFile } from './export-file.ts'

export interface CroissantTask {
  readonly versionNo: number
  readonly benchmark: BenchmarkDetail
  /** Of the benchmark's versions. */
  readonly version: string
  /** Where the finished file is to be. */
  readonly path: string
}

/** Writes the Croissant description of one benchmark version. */
export default async function writeCroissant({ versionNo, benchmark, version, path }: CroissantTask): Promise<ExportDone> {
  const db = openDatabase(databasePath(), { readonly: true })
  try {
    return await writeExportFile(path, write => renderCroissant(benchmark, version, readTaskSplits(db, versionNo), write))
  } finally {
    db.close()
  }
}
