import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { BrowserWindow, session } from 'electron'
import { safeFileName } from './file-name.ts'
import { denyAllPermissions } from './permission-policy.ts'
import { printPreferences } from './window-options.ts'

/** Longest report printed, in UTF-16 code units. */
const longestReport = 256 * 1024 * 1024
/** A report that takes longer than this to lay out and print is given up, in milliseconds. */
const deadline = 120_000

/** Scheme of the hidden page, known only to its own session. A data URL would stop at 2 MB. */
const scheme = 'assay-print'

/** Styles and embedded pictures and fonts; no script, no network. */
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"

export interface PrintRequest {
  readonly html: string
  readonly suggestedName: string
}

/** @throws TypeError naming the invalid argument. */
export function parsePrintRequest(args: readonly unknown[]): PrintRequest {
  const [html, suggestedName] = args
  if (args.length !== 2 || typeof html !== 'string' || typeof suggestedName !== 'string') {
    throw new TypeError('printPdf takes the HTML of a report and a suggested name.')
  }
  if (safeFileName(suggestedName).extension !== 'pdf')
    throw new TypeError(`printPdf takes a name ending in .pdf, not "${suggestedName.slice(0, 100)}".`)
  if (html.length > longestReport) throw new TypeError(`printPdf takes at most ${longestReport} characters, not ${html.length}.`)
  return { html, suggestedName }
}

/**
 * Makes the printer: a report becomes a PDF in a hidden page that runs no script, reaches no network and shares no session with the
 * window. Its promise rejects when the page cannot be laid out within the deadline.
 */
export function createReportPrinter(): (html: string) => Promise<Uint8Array> {
  const reports = new Map<string, string>()
  // Without the "persist:" prefix the session lives in memory.
  const isolated = session.fromPartition('assay-print')
  denyAllPermissions(isolated)
  isolated.webRequest.onBeforeRequest((request, answer) =>
    answer({ cancel: !reports.has(request.url) && !request.url.startsWith('data:') }),
  )
  isolated.protocol.handle(scheme, request => reportResponse(reports.get(request.url)))
  return async html => {
    const address = `${scheme}://report/${randomUUID()}`
    reports.set(address, html)
    const page = new BrowserWindow({ show: false, webPreferences: { ...printPreferences, session: isolated } })
    const alarm = new AbortController()
    try {
      return await Promise.race([print(page, address), expiry(alarm.signal)])
    } finally {
      alarm.abort()
      page.destroy()
      reports.delete(address)
    }
  }
}

async function print(page: BrowserWindow, address: string): Promise<Uint8Array> {
  await page.loadURL(address)
  return page.webContents.printToPDF({
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
  })
}

function reportResponse(html: string | undefined): Response {
  if (html === undefined) return new Response('No such report.', { status: 404 })
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': reportPolicy } })
}

async function expiry(signal: AbortSignal): Promise<never> {
  await delay(deadline, undefined, { signal })
  throw new Error(`The report could not be printed within ${deadline / 1000} s.`)
}
