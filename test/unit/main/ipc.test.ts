import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TrustedPage } from '../../../src/main/ipc.ts'
import { BrowserWindow, ipcMain, resetElectron } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { handle, isTrustedSender } = await import('../../../src/main/ipc.ts')

const origin = 'http://127.0.0.1:4747'

function pageAt(address: string) {
  const contents = new BrowserWindow({}).webContents
  contents.mainFrame.origin = address
  // The stand-in has what the check looks at and no more.
  return { contents, page: { contents, origin } as unknown as TrustedPage }
}

function event(sender: unknown, senderFrame: unknown) {
  // Of an event, the check looks at these two.
  return { sender, senderFrame } as Parameters<typeof isTrustedSender>[0]
}

describe('sender of a message', () => {
  test("is trusted when it is the top frame of the window, at the service's origin", () => {
    const { contents, page } = pageAt(origin)
    expect(isTrustedSender(event(contents, contents.mainFrame), page)).toBe(true)
  })

  test.each(['null', 'http://127.0.0.1:4748', 'https://127.0.0.1:4747', 'http://localhost:4747', 'file://'])(
    'is refused at %s',
    address => {
      const { contents, page } = pageAt(address)
      expect(isTrustedSender(event(contents, contents.mainFrame), page)).toBe(false)
    },
  )

  test('is refused in a frame within the page, even at the same origin', () => {
    const { contents, page } = pageAt(origin)
    expect(isTrustedSender(event(contents, { parent: contents.mainFrame, origin }), page)).toBe(false)
  })

  test('is refused in another window', () => {
    const { page } = pageAt(origin)
    const other = pageAt(origin).contents
    expect(isTrustedSender(event(other, other.mainFrame), page)).toBe(false)
  })

  test('is refused when its frame is gone', () => {
    const { contents, page } = pageAt(origin)
    expect(isTrustedSender(event(contents, null), page)).toBe(false)
  })
})

describe('channel', () => {
  const run = vi.fn(async (text: string) => `ran ${text}`)
  const parse = ([text]: readonly unknown[]) => String(text)

  beforeEach(() => {
    resetElectron('profile')
    run.mockClear()
  })

  function call(...args: unknown[]): Promise<unknown> {
    const handler = ipcMain.handlers.get('assay:save-file')
    if (handler === undefined) throw new Error('The channel has no handler.')
    return Promise.resolve(Reflect.apply(handler, undefined, args))
  }

  test('runs the requested command', async () => {
    const { contents, page } = pageAt(origin)
    handle('assay:save-file', () => page, { parse, run })
    expect(await call(event(contents, contents.mainFrame), 'a')).toBe('ran a')
  })

  test('neither parses nor runs for anyone else', async () => {
    const { contents, page } = pageAt('null')
    handle('assay:save-file', () => page, { parse, run })
    await expect(call(event(contents, contents.mainFrame), 'a')).rejects.toThrow("answers only the top frame of Assay's own window")
    expect(run).not.toHaveBeenCalled()
  })

  test('rejects every sender without a window', async () => {
    const { contents } = pageAt(origin)
    handle('assay:save-file', () => null, { parse, run })
    await expect(call(event(contents, contents.mainFrame), 'a')).rejects.toThrow('answers only')
  })
})
