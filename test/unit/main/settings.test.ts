import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { app, ipcMain, resetElectron } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { openSettings } = await import('../../../src/main/settings.ts')

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assay-profile-'))
  resetElectron(profile)
  app.setPath('userData', profile)
})
afterEach(() => rm(profile, { recursive: true }))

const file = () => join(profile, 'settings.json')
const state = { bounds: { x: 1, y: 2, width: 1000, height: 700 }, maximized: false }

test('starts with the theme of the system, no window and no chosen folder', () => {
  const settings = openSettings()
  expect([settings.theme(), settings.windowState(), settings.dataDir()]).toEqual(['system', undefined, null])
})

test('stores settings in one file in the profile', async () => {
  const first = openSettings()
  first.setTheme('dark')
  first.setWindowState(state)
  first.setDataDir('/data')
  const again = openSettings()
  expect([again.theme(), again.windowState(), again.dataDir()]).toEqual(['dark', state, '/data'])
  expect(JSON.parse(await readFile(file(), 'utf8'))).toEqual({ theme: 'dark', window: state, dataDir: '/data' })
})

test('has its defaults, and each setting comes back', () => {
  const first = openSettings()
  expect([first.keepAwake(), first.closing(), first.zoomLevel(), first.lastVersion()]).toEqual(['on-power', null, 0, null])
  first.setKeepAwake('always')
  first.setClosing('tray')
  first.setZoomLevel(1.5)
  first.setLastVersion('0.1.0')
  const again = openSettings()
  expect([again.keepAwake(), again.closing(), again.zoomLevel(), again.lastVersion()]).toEqual(['always', 'tray', 1.5, '0.1.0'])
  again.setClosing(null)
  expect(openSettings().closing()).toBeNull()
})

test('works without a file that cannot be read, says why, and leaves it', async () => {
  await mkdir(file())
  const settings = openSettings()
  expect(settings.problem).toMatch(/EISDIR|directory/)
  settings.setTheme('dark')
  expect(settings.theme()).toBe('dark')
})

test('keeps a setting until the end of the app when it cannot be written, and throws nothing', async () => {
  const settings = openSettings()
  settings.setTheme('light')
  await rm(profile, { recursive: true })
  await writeFile(profile, 'a file where the folder was')
  const said = vi.spyOn(console, 'error').mockReturnValue()
  settings.setTheme('dark')
  expect(settings.theme()).toBe('dark')
  expect(said.mock.calls[0]?.[0]).toBe('The setting "theme" could not be saved.')
})

test('keeps the good values of a file in which one is wrong', async () => {
  await writeFile(file(), JSON.stringify({ theme: 'pink', dataDir: '/data' }))
  const settings = openSettings()
  expect([settings.theme(), settings.dataDir()]).toEqual(['system', '/data'])
})

test('starts afresh from a file that is cut off', async () => {
  await writeFile(file(), '{"theme": "da')
  expect(openSettings().theme()).toBe('system')
})

test('closes the channel on which electron-store would tell a page where the profile is', () => {
  openSettings()
  expect(ipcMain.eventNames()).toEqual([])
})
