import { createReadStream, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../../contract/index.ts'
import type { PromptRecipe } from '../../engine/samples/render-prompt.ts'
import type { Workers } from '../../workers/pool.ts'
import type { FileReply } from '../http/handler.ts'

const types = { json: 'application/json; charset=utf-8', csv: 'text/csv; charset=utf-8', html: 'text/html; charset=utf-8' } as const
export type ExportFormat = keyof typeof types

export interface Exports {
  /** The file of one result version. Written once and kept, so that it stays the same bytes, whatever a later version of Assay would write. */
  file(runNo: number, results: Results, recipes: readonly PromptRecipe[], format: ExportFormat): Promise<FileReply>
}

export function createExports(dataDir: string, workers: Workers): Exports {
  const folder = join(dataDir, 'exports')
  const writing = new Map<string, Promise<unknown>>()
  return {
    file: async (runNo, results, recipes, format) => {
      const path = join(folder, `${results.run_id}-v${results.result_version}.${format}`)
      if (!existsSync(path)) {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const work = writing.get(path) ?? workers.report({ runNo, results, recipes, format, path }).finally(() => writing.delete(path))
        writing.set(path, work)
        await work
      }
      return {
        contentType: types[format],
        fileName: `${slug(results.name)}-v${results.result_version}.${format}`,
        bytes: statSync(path).size,
        stream: createReadStream(path),
      }
    },
  }
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '').slice(0, 60) || 'run'
}
