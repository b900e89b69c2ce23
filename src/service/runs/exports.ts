import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { z } from 'zod'
import type { ExportedAnnotations } from '../../contract/annotations/annotations.schemas.ts'
import type { Job, JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { NewRunExport } from '../../contract/runs/run-exports.schemas.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
import type { ReportWatch } from '../../workers/report-pool.ts'
import { createExportFiles } from '../export-files.ts'
import type { FileReply } from '../http/handler.ts'
import type { Jobs } from '../jobs/index.ts'

const ExportInput = z.strictObject({ run_id: z.string(), format: NewRunExport.shape.format, version: z.int() })

type Format = NewRunExport['format']

/** A result version with what its export needs. */
export interface Exported {
  readonly runNo: number
  readonly results: Results
  readonly recipes: readonly PromptRecipe[]
  /** Read only for formats that hold them, and once: there may be thousands of notes. */
  readonly annotations: () => readonly ExportedAnnotations[]
}

export interface Exports {
  /** The file of one result version. @throws ApiError not_found where the run is deleted meanwhile */
  file(workspaceId: string, exported: Exported, format: Format): Promise<FileReply>
  /** Begins to write the file in the background, with progress. */
  prepare(workspaceId: string, exported: Exported, format: Format, owner: JobOwner): Job
}

/** @param find a run's result version; throws where it no longer exists */
export function createExports(
  dataDir: string,
  workers: Pick<Workers, 'report'>,
  jobs: Pick<Jobs, 'register' | 'enqueue' | 'read'>,
  find: (workspaceId: string, runId: string, version: number) => Exported,
): Exports {
  const files = createExportFiles(dataDir)
  /** The file of a format: its name, and how it is written. */
  const fileOf = (workspaceId: string, exported: Exported, format: Format, watch?: ReportWatch) => {
    const { run_id, result_version } = exported.results
    const annotations = isAnnotated(format) ? exported.annotations() : []
    return {
      key: `${run_id}-v${result_version}`,
      // A version never changes, but what people note on it does.
      ...(isAnnotated(format) && { state: annotations.length > 0 ? digestOf(annotations) : null }),
      format,
      write: (path: string) => write(workspaceId, { ...exported, annotations }, format, path, watch),
    }
  }
  const write = async (
    workspaceId: string,
    { runNo, results, recipes, annotations }: Omit<Exported, 'annotations'> & { readonly annotations: readonly ExportedAnnotations[] },
    format: Format,
    path: string,
    watch?: ReportWatch,
  ) => {
    const requirePresent = () => void find(workspaceId, results.run_id, results.result_version)
    /** A deletion meanwhile took samples away under the thread, and did not see the file. */
    const requireStillPresent = () => {
      try {
        requirePresent()
      } catch (error) {
        rmSync(path, { force: true })
        throw error
      }
    }
    requirePresent()
    try {
      await workers.report({ workspaceId, runNo, results, recipes, annotations, format, path }, watch)
    } catch (error) {
      requireStillPresent()
      throw error
    }
    requireStillPresent()
  }

  jobs.register<z.infer<typeof ExportInput>>({
    kind: 'run_export',
    input: ExportInput,
    lane: 'run-exports',
    concurrency: 1,
    run: async ({ workspaceId, input, signal, progress }) => {
      if (workspaceId === null) throw new Error('An export is of a workspace.')
      const exported = find(workspaceId, input.run_id, input.version)
      const total = exported.results.coverage.frozen
      const told = (done: number) => progress({ done, total, message: 'Reading samples' })
      told(0)
      await files.prepare(fileOf(workspaceId, exported, input.format, { signal, progress: told }))
      told(total)
    },
    retried: () => {},
  })

  return {
    file: (workspaceId, exported, format) =>
      files.file({
        ...fileOf(workspaceId, exported, format),
        title: exported.results.name,
        suffix: `-v${exported.results.result_version}`,
      }),
    prepare: (workspaceId, { results }, format, owner) => {
      const input = { run_id: results.run_id, format, version: results.result_version }
      return jobs.read(workspaceId, jobs.enqueue('run_export', { workspaceId, owner, input, subject: { type: 'run', id: results.run_id } }))
    },
  }
}

/** Formats that hold notes, tags and bookmarks; the others are of another tool, or have a row per sample. */
function isAnnotated(format: Format): boolean {
  return format === 'json' || format === 'html'
}

function digestOf(annotations: readonly ExportedAnnotations[]): string {
  return createHash('sha256').update(JSON.stringify(annotations)).digest('hex').slice(0, 16)
}
