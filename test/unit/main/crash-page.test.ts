import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { answers, app, BrowserWindow, event, recorded, resetElectron, signals, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { crashAddress, watchCrashes } = await import('../../../src/main/crash-page.ts')

const origin = 'http://127.0.0.1:4747'
let window: BrowserWindow

beforeEach(async () => {
  resetElectron('profile')
  vi.spyOn(console, 'error').mockReturnValue()
  window = new BrowserWindow({})
  watchCrashes(strict(window) as unknown as Parameters<typeof watchCrashes>[0], origin)
  await window.loadURL(`${origin}/runs/1?x=<b>`)
})

const shown = () => decodeURIComponent(window.webContents.visited.at(-1) ?? '')
const gone = (reason: string) => window.webContents.emit('render-process-gone', event(), { reason, exitCode: 139 })

describe('a page that crashed', () => {
  test('is replaced by one with the log and a way back to where it was', () => {
    gone('oom')
    expect(shown()).toMatch(/^data:text\/html/)
    expect(shown()).toContain('The page stopped working')
    expect(shown()).toContain('Page process: oom, exit code 139')
    expect(shown()).toContain(`<a href="${origin}/runs/1?x=&lt;b&gt;">Reload</a>`)
  })

  test('leads to the first page where the crash page itself had crashed', () => {
    gone('crashed')
    gone('crashed')
    expect(shown()).toContain(`href="${origin}/"`)
  })

  test('is not mentioned when it left on purpose', () => {
    gone('clean-exit')
    expect(window.webContents.visited).toHaveLength(1)
  })
})

test('says so when the graphics process crashes again and again, and not before', () => {
  const crash = () => app.emit('child-process-gone', event(), { type: 'GPU', reason: 'crashed', exitCode: 5 })
  crash()
  crash()
  expect(window.webContents.visited).toHaveLength(1)
  crash()
  expect(shown()).toContain('Graphics stopped working')
  window.destroy()
  expect(app.listenerCount('child-process-gone')).toBe(0)
})

test.each([
  [0, []],
  [1, ['forcefullyCrashRenderer']],
])('offers to wait for a page that does not respond, once at a time (answer %i)', async (answer, calls) => {
  answers.messageBox = answer
  const asked = once(signals, 'dialog')
  window.emit('unresponsive')
  window.emit('unresponsive')
  await asked
  await setImmediate()
  expect(recorded.dialogs.map(({ options }) => options['buttons'])).toEqual([['Wait', 'Reload']])
  expect(recorded.calls).toEqual(calls)
})

/** Relative luminance, WCAG 2.2. */
function luminance(color: string): number {
  const parts = [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [red = 0, green = 0, blue = 0] = parts.map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

describe('the page about a crash', () => {
  const page = decodeURIComponent(crashAddress({ title: 'T', log: ['</pre><script>alert(1)</script>'], address: origin }))
  const schemes = page.match(/--ink[^}]*/g) ?? []

  test('runs no script, whatever is in the log', () => {
    expect(page).not.toContain('<script')
    expect(page).toContain("default-src 'none'")
  })

  test.each([0, 1])('has text and borders that can be seen, in both schemes (%i)', index => {
    const color = (name: string) => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(schemes[index] ?? '')?.[1] ?? ''
    expect(contrast(color('ink'), color('page'))).toBeGreaterThanOrEqual(7)
    expect(contrast(color('ink'), color('field'))).toBeGreaterThanOrEqual(7)
    expect(contrast(color('on-act'), color('act'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(color('line'), color('page'))).toBeGreaterThanOrEqual(3)
  })

  test('has a target of at least 24 pixels', () => {
    expect(Number(/min-height: (\d+)px/.exec(page)?.[1])).toBeGreaterThanOrEqual(24)
  })
})
