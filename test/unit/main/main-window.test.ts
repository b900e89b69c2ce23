import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { answers, app, type BrowserWindow, recorded, resetElectron, signals } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { createMainWindow } = await import('../../../src/main/main-window.ts')
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
  createMainWindow('preload.cjs', openSettings())
  const window = recorded.windows.at(-1)
  if (window === undefined) throw new Error('No window was made.')
  return window
}

it('comes back maximized', () => {
  openSettings().setWindowState({ bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: true })
  const window = open()
  expect(recorded.calls).not.toContain('maximize')
  window.emit('ready-to-show')
  expect(recorded.calls).toContain('maximize')
  expect(window.shown).toBe(true)
})

it.each([
  [0, ['reload'], false],
  [1, [], true],
])('offers to reload a page that crashed (answer %i)', async (answer, visited, destroyed) => {
  answers.messageBox = answer
  const window = open()
  const asked = once(signals, 'dialog')
  window.webContents.emit('render-process-gone', {}, { reason: 'oom' })
  const [dialog] = await asked
  await setImmediate()
  expect(dialog.options).toMatchObject({ message: 'The window stopped working', detail: expect.stringContaining('oom') })
  expect(window.webContents.visited).toEqual(visited)
  expect(window.destroyed).toBe(destroyed)
})

it('ignores a page that left on purpose', () => {
  open().webContents.emit('render-process-gone', {}, { reason: 'clean-exit' })
  expect(recorded.dialogs).toEqual([])
})
