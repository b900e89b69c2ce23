import { app, type BrowserWindow, dialog, shell } from 'electron'
import { findInPage, parseFindRequest } from './find-in-page.ts'
import { handle, type TrustedPage } from './ipc.ts'
import { createReportPrinter, parsePrintRequest } from './print-report.ts'
import { parseSaveRequest, type SavePorts, saveFile } from './save-report.ts'

/** The window of the page that is listened to. */
export interface AnsweredWindow {
  readonly window: BrowserWindow
  readonly origin: string
}

/** Answers what the page asks of the shell: to save, to print a report as a PDF and save that, to open what was saved last, and to find. */
export function answerPage(answered: () => AnsweredWindow | null): void {
  const page = (): TrustedPage | null => {
    const now = answered()
    return now === null ? null : { contents: now.window.webContents, origin: now.origin }
  }
  const printReport = createReportPrinter()
  let saved: string | null = null
  const ports: SavePorts = {
    folder: () => app.getPath('downloads'),
    ask: options => {
      const parent = answered()
      return parent === null ? dialog.showSaveDialog(options) : dialog.showSaveDialog(parent.window, options)
    },
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
  handle('assay:find', page, {
    parse: parseFindRequest,
    run: async request => {
      const now = answered()
      return now === null ? { active: 0, matches: 0 } : findInPage(now.window.webContents, request)
    },
  })
  handle('assay:stop-finding', page, {
    parse: () => undefined,
    run: async () => answered()?.window.webContents.stopFindInPage('keepSelection'),
  })
}
