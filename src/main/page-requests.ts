import { app, dialog } from 'electron'
import { handle, type TrustedPage } from './ipc.ts'
import { createReportPrinter, parsePrintRequest } from './print-report.ts'
import { parseSaveRequest, type SavePorts, saveFile } from './save-report.ts'

/** Answers what the page asks of the shell: to save a file, and to print a report as a PDF and save that. */
export function answerPage(page: () => TrustedPage | null): void {
  const printReport = createReportPrinter()
  const ports: SavePorts = { folder: () => app.getPath('downloads'), ask: options => dialog.showSaveDialog(options) }
  handle('assay:save-file', page, { parse: parseSaveRequest, run: request => saveFile(request, ports) })
  handle('assay:print-pdf', page, {
    parse: parsePrintRequest,
    run: async ({ html, suggestedName }) => saveFile({ suggestedName, data: await printReport(html) }, ports),
  })
}
