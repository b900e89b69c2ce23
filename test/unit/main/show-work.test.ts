import { createServer, type Server } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RecentRun } from '../../../src/main/recent-runs.ts'
import type { Work } from '../../../src/main/watch-runs.ts'
import { patience } from '../../support/machine-speed.ts'
import { runFixture } from '../renderer/runs/fixtures.ts'
import { answers, BrowserWindow, event, recorded, resetElectron, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { showWork } = await import('../../../src/main/show-work.ts')
const { createCaller } = await import('../../../src/main/call-service.ts')

const listeners = {
  work: vi.fn<(work: Work) => void>(),
  recent: vi.fn<(runs: readonly RecentRun[]) => void>(),
  open: vi.fn<(path: string) => void>(),
}

/** Keeps the clock of the page going meanwhile, as `expect.poll` does not. */
const limit = 10_000 * patience()
let server: Server
let status: 'running' | 'complete'
let baseUrl: string
let window: BrowserWindow

beforeEach(async () => {
  resetElectron('/tmp')
  status = 'running'
  const id = '01900000-0000-7000-8000-00000000000a'
  server = createServer((request, response) => {
    const run = { ...runFixture({ id, status, name: 'Nightly' }) }
    const listed = request.url?.includes(`status=${status}`) === true
    const body = request.url?.startsWith(`/v1/runs/${id}`) ? run : { items: listed ? [run] : [], next_cursor: null }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  window = new BrowserWindow({})
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  window.destroy()
  vi.useRealTimers()
  await new Promise(resolve => server.close(resolve))
})

test('shows a run in title and taskbar, and says when it ended to who looks elsewhere; a click leads to it', async () => {
  // The stand-in has what this needs of a window.
  showWork(
    strict(window) as unknown as Parameters<typeof showWork>[0],
    createCaller({ baseUrl, sessionToken: 'token', workspaceId: 'w' }),
    listeners,
  )
  window.emit('page-title-updated', event(), 'Runs · Assay', true)
  await vi.waitFor(() => expect(recorded.progress.at(-1)).toBeGreaterThanOrEqual(0), limit)
  expect(recorded.titles.at(-1)).toMatch(/^\d+ % · Runs · Assay$/)
  status = 'complete'
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(recorded.notifications).toHaveLength(1)
  }, limit)
  expect(recorded.progress.at(-1)).toBe(-1)
  expect(recorded.titles.at(-1)).toBe('Runs · Assay')
  expect(recorded.notifications[0]?.options).toMatchObject({ title: 'Run complete', body: expect.stringContaining('Nightly') })
  recorded.notifications[0]?.emit('click')
  // The page is asked: it may hold input that a reload would lose.
  expect(listeners.open.mock.calls).toEqual([['/runs/01900000-0000-7000-8000-00000000000a']])
  expect(window.webContents.visited).toEqual([])
  expect(listeners.work.mock.calls.map(([work]) => work.runs)).toEqual(expect.arrayContaining([1, 0]))
})

test('keeps quiet while the window is looked at', async () => {
  answers.focused = true
  showWork(
    strict(window) as unknown as Parameters<typeof showWork>[0],
    createCaller({ baseUrl, sessionToken: 'token', workspaceId: 'w' }),
    listeners,
  )
  await vi.waitFor(() => expect(recorded.progress.at(-1)).toBeGreaterThanOrEqual(0), limit)
  status = 'complete'
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(2_000)
    expect(recorded.progress.at(-1)).toBe(-1)
  }, limit)
  expect(recorded.notifications).toEqual([])
})

test('sees at once what has changed where it is asked to look', async () => {
  answers.focused = true
  const look = showWork(
    strict(window) as unknown as Parameters<typeof showWork>[0],
    createCaller({ baseUrl, sessionToken: 'token', workspaceId: 'w' }),
    listeners,
  )
  await vi.waitFor(() => expect(listeners.work.mock.calls.at(-1)?.[0]).toMatchObject({ runs: 1 }), limit)
  status = 'complete'
  await look()
  expect(listeners.work.mock.calls.at(-1)?.[0]).toMatchObject({ runs: 0 })
})
