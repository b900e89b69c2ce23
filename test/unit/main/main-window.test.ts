import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answers, app, type BrowserWindow, event, recorded, resetElectron, screen, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { createMainWindow, putAway } = await import('../../../src/main/main-window.ts')
const { openSettings } = await import('../../../src/main/settings.ts')

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assay-window-'))
  resetElectron(profile)
  app.setPath('userData', profile)
})
afterEach(() => rm(profile, { recursive: true }))

/** The window, as the stand-in that it is here. */
function open(): BrowserWindow {
  createMainWindow('preload.cjs', openSettings(), null)
  const window = recorded.windows.at(-1)
  if (window === undefined) throw new Error('No window was made.')
  return window
}

test('comes back maximized', () => {
  openSettings().setWindowState({ bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true })
  const window = open()
  expect(recorded.calls).not.toContain('maximize')
  window.emit('ready-to-show')
  expect(recorded.calls).toContain('maximize')
  expect(window.shown).toBe(true)
})

test('remembers place and zoom when it closes, and zooms its first page as before', async () => {
  const window = open()
  window.webContents.zoomLevel = 2
  window.close()
  expect(openSettings().zoomLevel()).toBe(2)
  const again = open()
  await again.loadURL('http://127.0.0.1:4747/')
  expect(again.webContents.zoomLevel).toBe(2)
})

test('goes to a screen that is there when its own is unplugged', () => {
  openSettings().setWindowState({ bounds: { x: 2000, y: 0, width: 1000, height: 700 }, maximized: false })
  const [primary = { workArea: { x: 0, y: 0, width: 0, height: 0 } }] = answers.displays
  answers.displays = [primary, { workArea: { x: 1920, y: 0, width: 1920, height: 1080 } }]
  const window = open()
  expect(window.options).toMatchObject({ x: 2000 })
  answers.displays = [primary]
  screen.emit('display-removed', event(), {})
  expect(window.options).toMatchObject({ x: 0, y: 0, width: 1000, height: 700 })
  window.destroy()
  expect(screen.listenerCount('display-removed')).toBe(0)
})

test('fits a screen of 1366 × 768 at 150 %', () => {
  answers.displays = [{ workArea: { x: 0, y: 0, width: 911, height: 485 } }]
  expect(open().options).toMatchObject({ width: 911, height: 485, minWidth: 900, minHeight: 485 })
})

test('leaves full screen before it is hidden', async () => {
  const window = open()
  answers.fullScreen = true
  putAway(strict(window) as unknown as Parameters<typeof putAway>[0])
  expect(recorded.calls).not.toContain('hide')
  await once(window, 'leave-full-screen')
  expect(recorded.calls.slice(-2)).toEqual(['setFullScreen false', 'hide'])
})
