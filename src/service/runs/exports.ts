import { z } from 'zod'
import { type Job, type JobOwner, NewRunExport, type Results } from '../../contract/index.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
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
}

export interface Exports {
  /** The file of one result version. */
  file(exported: Exported, format: Format): Promise<FileReply>
  /** Begins to write the file in the background, with progress. */
  prepare(workspaceId: string, exported: Exported, format: Format, owner: JobOwner): Job
}

/** @param find a run's result version; throws where it is not there any more */
export function createExports(
  dataDir: string,
  workers: Pick<Workers, 'report'>,
  jobs: Pick<Jobs, 'register' | 'enqueue' | 'read'>,
  find: (workspaceId: string, runId: string, version: number) => Exported,
): Exports {
  const files = createExportFiles(dataDir)
  const keyOf = ({ run_id, result_version }: Results) => `${run_id}-v${result_version}`

  jobs.register<z.infer<typeof ExportInput>>({
    kind: 'run_export',
    input: ExportInput,
    lane: 'run-exports',
    concurrency: 1,
    run: async ({ workspaceId, input, signal, progress }) => {
      if (workspaceId === null) throw new Error('An export is of a workspace.')
      const { runNo, results, recipes } = find(workspaceId, input.run_id, input.version)
      const total = results.coverage.frozen
      const told = (done: number) => progress({ done, total, message: 'Reading samples' })
      told(0)
      await files.prepare({
        key: keyOf(results),
        format: input.format,
        write: path => workers.report({ runNo, results, recipes, format: input.format, path }, { signal, progress: told }),
      })
      told(total)
    },
    // There is no record beside the job, and a file that was begun is removed.
    ended: () => {},
    retried: () => {},
  })

  return {
    file: ({ runNo, results, recipes }, format) =>
      files.file({
        key: keyOf(results),
        title: results.name,
        suffix: `-v${results.result_version}`,
        format,
        write: path => workers.report({ runNo, results, recipes, format, path }),
      }),
    prepare: (workspaceId, { results }, format, owner) => {
      const input = { run_id: results.run_id, format, version: results.result_version }
      return jobs.read(workspaceId, jobs.enqueue('run_export', { workspaceId, owner, input, subject: { type: 'run', id: results.run_id } }))
    },
  }
}
