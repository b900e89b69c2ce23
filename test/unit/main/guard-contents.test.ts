import { beforeEach, describe, expect, test, vi } from 'vitest'
import { guardContents } from '../../../src/main/guard-contents.ts'
import { BrowserWindow, resetElectron, strict, type WebContents } from './fake-electron.ts'

const origin = 'http://127.0.0.1:4747'
const openExternally = vi.fn<(address: string) => void>()
let contents: WebContents

beforeEach(() => {
  resetElectron('profile')
  openExternally.mockClear()
  contents = new BrowserWindow({}).webContents
  // The stand-in emits and keeps the handler, which is all that is used of the page.
  guardContents(strict(contents) as unknown as Parameters<typeof guardContents>[0], { origin, openExternally })
})

function emit(name: string, url: string): boolean {
  const preventDefault = vi.fn<() => void>()
  contents.emit(name, { url, preventDefault })
  return preventDefault.mock.calls.length > 0
}

describe.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('%s', name => {
  test('is let through within the service', () => {
    expect(emit(name, `${origin}/runs`)).toBe(false)
  })

  test.each([
    'https://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://127.0.0.1:4747.example.com/',
    'data:text/html,x',
  ])('is stopped for %s', url => {
    expect(emit(name, url)).toBe(true)
  })
})

test('a link that was clicked is offered to the browser; one that a frame or a redirect followed is not', () => {
  emit('will-navigate', 'https://example.com/')
  emit('will-frame-navigate', 'https://example.com/frame')
  emit('will-redirect', 'https://example.com/redirect')
  expect(openExternally.mock.calls).toEqual([['https://example.com/']])
})

test.each([`${origin}/docs`, 'https://example.com/', 'about:blank', 'javascript:alert(1)', ''])('no second window opens for %j', url => {
  expect(contents.openHandler({ url })).toEqual({ action: 'deny' })
})

test('a link of our own for a new tab opens in the window; any other is offered to the browser', () => {
  contents.openHandler({ url: `${origin}/docs` })
  contents.openHandler({ url: 'https://example.com/' })
  expect(contents.visited).toEqual([`${origin}/docs`])
  expect(openExternally.mock.calls).toEqual([['https://example.com/']])
})

test('no webview can be attached', () => {
  const preventDefault = vi.fn<() => void>()
  contents.emit('will-attach-webview', { preventDefault })
  expect(preventDefault).toHaveBeenCalledTimes(1)
})
