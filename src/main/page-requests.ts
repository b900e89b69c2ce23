import { app, dialog, shell } from 'electron'
import { handle, type TrustedPage } from './ipc.ts'
import { createReportPrinter, parsePrintRequest } from './print-report.ts'
import { parseSaveRequest, type SavePorts, saveFile } from './save-report.ts'

/** Answers what the page asks of the shell: to save a file, to print a report as a PDF and save that, and to open what was saved last. */
export function answerPage(page: () => TrustedPage | null): void {
  const printReport = createReportPrinter()
  let saved: string | null = null
  const ports: SavePorts = {
    folder: () => app.getPath('downloads'),
    ask: options => dialog.showSaveDialog(options),
    saved: path => {
      saved = path
    },
  }
  handle('assay:save-file', page, { parse: parseSaveRequest, run: request => saveFile(request, ports) })
  handle('assay:print-pdf', page, {
    parse: parsePrintRequest,
    run: async ({ html, suggestedName }) => saveFile({ suggestedName, data: await printReport(html) }, ports),
  })
  // The page never learns the path, and cannot name one: only a file that a person has just saved is opened.
  handle('assay:open-saved', page, {
    parse: () => undefined,
    run: async () => (saved === null ? 'Nothing was saved since Assay was started.' : shell.openPath(saved)),
  })
}
