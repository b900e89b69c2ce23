import { saveFile } from '../api/download.ts'
import type { ExportFormat } from './export-file-name.ts'
import { printReport } from './print-report.ts'

export const exportFormats: readonly { readonly format: ExportFormat; readonly title: string; readonly detail: string }[] = [
  { format: 'html', title: 'Report (HTML)', detail: 'One file with charts, transcripts and notes; opens without a network' },
  { format: 'pdf', title: 'Report (PDF)', detail: 'Figures and charts of the report, printed; samples are in the HTML report' },
  { format: 'csv', title: 'Samples (CSV)', detail: 'A row per sample; cells that look like formulas are escaped' },
  { format: 'json', title: 'Everything (JSON)', detail: 'Results, every sample, notes, tags and bookmarks; lossless' },
  { format: 'zip', title: 'Everything with media (zip)', detail: 'Results, samples, and the images, audio and documents that they show' },
  { format: 'parquet', title: 'Samples (Parquet)', detail: 'A row per sample, for data frames' },
  { format: 'markdown', title: 'Summary (Markdown)', detail: 'Scores, cost and the samples that are not correct' },
  { format: 'junit', title: 'JUnit (XML)', detail: 'A test case per sample, for CI systems' },
  { format: 'inspect', title: 'Inspect log (.eval)', detail: 'Opens in Inspect’s log viewer' },
  { format: 'lm_eval', title: 'lm-evaluation-harness (JSON)', detail: 'Results with samples' },
  { format: 'promptfoo', title: 'promptfoo (JSON)', detail: 'Results, version 3' },
]

/** Under the formats. */
export const formatsNote = 'Only the reports and the complete JSON hold notes, tags and bookmarks'

/** What can be saved here: a PDF only in the desktop app, which prints it. */
export function offeredFormats(): typeof exportFormats {
  return exportFormats.filter(({ format }) => format !== 'pdf' || window.assay)
}

/** PDF is printed by the desktop app from the HTML report; the service makes the other formats. */
export function saveAs(runId: string, version: number, format: ExportFormat, name: string): Promise<boolean> {
  switch (format) {
    case 'pdf':
      if (!window.assay) throw new Error('A PDF can only be printed in the desktop app.')
      return printReport(window.assay, runId, version, name)
    case 'html':
    case 'csv':
    case 'json':
      return saveFile('exportRun', { params: { run_id: runId }, query: { format, version } }, name)
    default:
      return saveFile('exportRunAs', { params: { run_id: runId, format }, query: { version } }, name)
  }
}
