import { dirname } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import type { ExportedAnnotations } from '../contract/annotations/annotations.schemas.ts'
import type { Results } from '../contract/runs/results.schemas.ts'
import type { RunExportFormat } from '../contract/runs/run-exports.schemas.ts'
import { runExports } from '../engine/reporting/exports/render-run.ts'
import { renderRunCsv } from '../engine/reporting/report/run-csv.ts'
import { renderRunJson } from '../engine/reporting/report/run-json.ts'
import { thumbnailSide } from '../engine/reporting/report/explorer/embed-pictures.ts'
import { MediaFault } from '../engine/media/media-fault.ts'
import { thumbnailOf } from './picture-codec.ts'
import { renderRunReport } from '../engine/reporting/report/run-report.ts'
import { describeSample } from '../engine/execution/samples/describe-sample.ts'
import type { PromptRecipe } from '../engine/execution/samples/render-prompt.ts'
import type { FacetedSample, ReadMedia, ReportSample } from '../engine/reporting/report/report-sample.ts'
import { readSampleDetails } from '../storage/reads/sample-details.ts'
import type { Database } from '../storage/database.ts'
import { sampleId } from '../storage/sample-id.ts'
import { mediaReader } from '../storage/reads/media-reader.ts'
import { databasePath, openReader } from './database-path.ts'
import { type ExportDone, withTextFile, writeExportFile } from './export-file.ts'

export interface ReportTask {
  /** Whose files it may show. */
  readonly workspaceId: string
  readonly runNo: number
  readonly results: Results
  /** By profile number. */
  readonly recipes: readonly PromptRecipe[]
  readonly format: 'json' | 'csv' | 'html' | RunExportFormat
  /** Notes, tags and bookmarks; only the report and the JSON hold them. */
  readonly annotations: readonly ExportedAnnotations[]
  /** Path of the finished file. */
  readonly path: string
  /** Told the number of samples read, now and then; again from the start where a format reads them twice. */
  readonly progress?: MessagePort | undefined
}

const samplesBetweenProgress = 500

/** Writes one export of a run. */
export default async function writeReport(task: ReportTask): Promise<ExportDone> {
  const db = openReader()
  try {
    const { format, results, annotations } = task
    const samples = () => samplesOf(task, db)
    const readMedia = mediaReader(db, dirname(databasePath()), task.workspaceId)
    return await writeExportFile(task.path, write => {
      if (format === 'html')
        return withTextFile(task.path, texts =>
          renderRunReport(results, facetedSamplesOf(task, db), write, { annotations, thumbnail: thumbnails(readMedia), texts }),
        )
      if (format === 'json') return renderRunJson(results, samples(), write, annotations)
      if (format === 'csv') return renderRunCsv(results, samples(), write)
      return runExports[format](results, samples, write, readMedia)
    })
  } finally {
    db.close()
  }
}

/** Null for a picture that is missing or cannot be decoded, and for all where the codec does not load. */
function thumbnails(read: ReadMedia): ReadMedia {
  return async digest => {
    const stored = await read(digest)
    if (!stored) return null
    try {
      return await thumbnailOf(stored.bytes, thumbnailSide)
    } catch (error) {
      if (error instanceof MediaFault) return null
      throw error
    }
  }
}

async function* samplesOf(task: ReportTask, db: Database): AsyncGenerator<ReportSample> {
  for (const { sample } of describedSamples(task, db)) yield sample
}

async function* facetedSamplesOf(task: ReportTask, db: Database): AsyncGenerator<FacetedSample> {
  for (const { sample, facets } of describedSamples(task, db)) yield { ...sample, facets }
}

function* describedSamples({ runNo, results, recipes, progress }: ReportTask, db: Database) {
  const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
  let read = 0
  for (const record of readSampleDetails(db, runNo, results.result_version, range)) {
    const profile = results.reproducibility.profiles[record.profile_no]
    const recipe = recipes[record.profile_no]
    if (!profile || !recipe)
      throw new RangeError(`Sample ${record.position} names profile ${record.profile_no}, which the run does not have.`)
    yield { sample: describeSample(record, sampleId(results.run_id, record.position), profile, recipe), facets: record.facets }
    if (++read % samplesBetweenProgress === 0) progress?.postMessage(read)
  }
}
