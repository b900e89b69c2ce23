import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AnsweredWindow } from '../../../src/main/page-requests.ts'
import { answers, BrowserWindow, event, ipcMain, recorded, resetElectron, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { answerPage } = await import('../../../src/main/page-requests.ts')

const origin = 'http://127.0.0.1:4747'
let dir: string
let page: BrowserWindow

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'assay-requests-'))
  resetElectron(dir)
  page = new BrowserWindow({})
  page.webContents.mainFrame.origin = origin
  // The stand-in has what the check of the sender looks at.
  answerPage(() => ({ window: strict(page), origin }) as unknown as AnsweredWindow)
})
afterEach(() => rm(dir, { recursive: true }))

async function ask(channel: string, ...args: unknown[]): Promise<unknown> {
  const handler = ipcMain.handlers.get(channel)
  if (handler === undefined) throw new Error(`${channel} has no handler.`)
  return Reflect.apply(handler, undefined, [{ sender: strict(page.webContents), senderFrame: page.webContents.mainFrame }, ...args])
}

test('saves what the page gives where the user says', async () => {
  answers.saveDialog = { canceled: false, filePath: join(dir, 'a.csv') }
  expect(await ask('assay:save-file', 'scores.csv', 'x')).toEqual({ outcome: 'saved', name: 'a.csv' })
  expect(await readFile(join(dir, 'a.csv'), 'utf8')).toBe('x')
  expect(recorded.dialogs[0]?.parent).toBe(page)
  expect(recorded.dialogs[0]?.options['defaultPath']).toBe(join(dir, 'scores.csv'))
})

test('prints a report and saves the PDF', async () => {
  answers.saveDialog = { canceled: false, filePath: join(dir, 'report.pdf') }
  expect(await ask('assay:print-pdf', '<h1>Report</h1>', 'report.pdf')).toEqual({ outcome: 'saved', name: 'report.pdf' })
  expect(await readFile(join(dir, 'report.pdf'), 'utf8')).toBe('%PDF-fake')
})

test.each(['report.exe', 'report.html', 'report'])('prints nothing for a file named %s', async name => {
  await expect(ask('assay:print-pdf', '<p>', name)).rejects.toThrow(/must end in|ending in \.pdf/)
  expect(recorded.windows).toEqual([page])
  expect(recorded.dialogs).toEqual([])
})

test('finds text in the page and says which match is shown', async () => {
  const found = ask('assay:find', 'gsm8k', true, false)
  const result = { requestId: 1, activeMatchOrdinal: 1, matches: 3, finalUpdate: true, selectionArea: {} }
  page.webContents.emit('found-in-page', event(), { ...result, matches: 1, finalUpdate: false })
  page.webContents.emit('found-in-page', event(), result)
  expect(await found).toEqual({ active: 1, matches: 3 })
  expect(recorded.finds).toEqual([['gsm8k', { forward: true, findNext: true }]])
  expect(page.webContents.listenerCount('found-in-page')).toBe(0)
  await ask('assay:stop-finding')
  expect(recorded.finds.at(-1)).toEqual(['keepSelection'])
  expect(await ask('assay:find', '', true, false)).toEqual({ active: 0, matches: 0 })
})

test.each([[[]], [['x']], [['x', 1, true]], [['x'.repeat(1001), true, true]]])('does not search for %j', async args => {
  await expect(ask('assay:find', ...args)).rejects.toThrow('findInPage takes')
})
