import type { Results, RunExportFormat } from '../../contract/index.ts'
import type { PromptRecipe } from '../../engine/execution/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
import { createExportFiles, type ExportFormat } from '../export-files.ts'
import type { FileReply } from '../http/handler.ts'

export interface Exports {
  /** The file of one result version. */
  file(runNo: number, results: Results, recipes: readonly PromptRecipe[], format: ExportFormat | RunExportFormat): Promise<FileReply>
}

export function createExports(dataDir: string, workers: Workers): Exports {
  const files = createExportFiles(dataDir)
  return {
    file: (runNo, results, recipes, format) =>
      files.file({
        key: `${results.run_id}-v${results.result_version}`,
        title: results.name,
        suffix: `-v${results.result_version}`,
        format,
        write: path => workers.report({ runNo, results, recipes, format, path }),
      }),
  }
}
