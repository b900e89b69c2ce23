import { beforeEach, describe, expect, test, vi } from 'vitest'
import { recorded, resetElectron, session, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { createReportPrinter, parsePrintRequest } = await import('../../../src/main/print-report.ts')

beforeEach(() => resetElectron('profile'))

function isolated() {
  const found = session.partitions.get('assay-print')
  if (found === undefined) throw new Error('The printer made no session of its own.')
  return found
}

function verdictOn(url: string): boolean | undefined {
  let cancelled: boolean | undefined
  isolated().requestFilter?.({ url }, verdict => {
    cancelled = verdict.cancel
  })
  return cancelled
}

describe('report printer', () => {
  test('prints in a hidden page without scripts, preload script or shared session, and closes it', async () => {
    const pdf = await createReportPrinter()('<h1>Report</h1>')
    expect(Buffer.from(pdf).toString()).toBe('%PDF-fake')
    const [page] = recorded.windows
    expect(page?.options).toEqual({
      show: false,
      webPreferences: expect.objectContaining({ javascript: false, sandbox: true, contextIsolation: true, session: strict(isolated()) }),
    })
    expect(page?.options['webPreferences']).not.toHaveProperty('preload')
    expect(page?.shown).toBe(false)
    expect(page?.destroyed).toBe(true)
  })

  test.each(['https://example.com/', 'http://127.0.0.1:4747/', 'file:///etc/passwd', 'assay-print://report/other', 'ws://example.com/'])(
    'lets the page reach nothing: %s',
    async address => {
      await createReportPrinter()('<p></p>')
      expect(verdictOn(address)).toBe(true)
    },
  )

  test('lets it show pictures that it carries', async () => {
    await createReportPrinter()('<p></p>')
    expect(verdictOn('data:image/png;base64,AA==')).toBe(false)
  })

  test('serves the report under a policy without scripts, only while it prints', async () => {
    const print = createReportPrinter()
    const serve = (url: string) => isolated().schemes.get('assay-print')?.({ url })
    const printed = print('<h1>One</h1>')
    const address = recorded.windows[0]?.webContents.visited[0] ?? ''
    const response = serve(address)
    expect(await response?.text()).toBe('<h1>One</h1>')
    expect(response?.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
    )
    await printed
    expect(serve(address)?.status).toBe(404)
    expect(verdictOn(address)).toBe(true)
  })

  test('denies its page every permission', async () => {
    await createReportPrinter()('<p></p>')
    expect(isolated().requestHandler).not.toBeNull()
    expect(isolated().checkHandler).not.toBeNull()
    expect(isolated().deviceHandler).not.toBeNull()
  })
})

describe('what the page sends', () => {
  test.each([[[]], [['<p>']], [['<p>', 3]], [[1, 'a.pdf']], [['<p>', 'a.pdf', true]]])('%j is refused', args => {
    expect(() => parsePrintRequest(args)).toThrow('printPdf takes the HTML of a report and a suggested name.')
  })

  test('is the HTML and the name', () => {
    expect(parsePrintRequest(['<p>', 'a.pdf'])).toEqual({ html: '<p>', suggestedName: 'a.pdf' })
  })
})
