import type { RunExportFormat } from '../../contract/runs/run-exports.schemas.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'

export type ExportFormat = 'html' | 'pdf' | 'csv' | 'json' | RunExportFormat

/** Endings of the formats whose name is none. */
const endings: Partial<Record<ExportFormat, string>> = {
  junit: 'junit.xml',
  markdown: 'md',
  inspect: 'eval',
  lm_eval: 'lm_eval.json',
  promptfoo: 'promptfoo.json',
}

/** A file name from a run's name: letters, digits and dashes of any script, so that every file system takes it. */
export function exportFileName({ name, id }: Pick<Run, 'name' | 'id'>, version: number, format: ExportFormat): string {
  const words = name
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  // By characters, so that none is cut in half.
  const short = [...words].slice(0, 80).join('')
  return `${short || id}${version > 1 ? `-v${version}` : ''}.${endings[format] ?? format}`
}
