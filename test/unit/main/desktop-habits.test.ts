import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ClosingAnswer } from '../../../src/main/close-with-work.ts'
import type { Running } from '../../../src/main/running.ts'
import type { KeepAwake } from '../../../src/main/settings.ts'
import { answers, app, BrowserWindow, event, played, powerMonitor, recorded, resetElectron, strict } from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { createWakefulness } = await import('../../../src/main/keep-awake.ts')
const { contextItems, offerContextMenu } = await import('../../../src/main/context-menu.ts')
const { loginItem } = await import('../../../src/main/login-item.ts')
const { askWhatClosingDoes } = await import('../../../src/main/close-with-work.ts')
const { createWorkTray } = await import('../../../src/main/tray.ts')
const { showRecentRuns } = await import('../../../src/main/recent-runs.ts')
const { notesOf, showReleaseNotes } = await import('../../../src/main/release-notes.ts')
const { relaunch } = await import('../../../src/main/relaunch.ts')
const { mayQuit } = await import('../../../src/main/running.ts')
const { openSettings } = await import('../../../src/main/settings.ts')

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assay-habits-'))
  resetElectron(profile)
  app.setPath('userData', profile)
})
afterEach(() => rm(profile, { recursive: true }))

/** As the shell is given one. */
const shellWindow = (window = new BrowserWindow({})) => strict(window) as unknown as Parameters<typeof askWhatClosingDoes>[0]

describe('keeping the machine awake', () => {
  test.each<[KeepAwake, boolean, number]>([
    ['always', true, 1],
    ['on-power', false, 1],
    ['on-power', true, 0],
    ['never', false, 0],
  ])('%s, on battery %s: %i', (choice, onBattery, blockers) => {
    answers.onBattery = onBattery
    const wakefulness = createWakefulness(() => choice)
    wakefulness.working(2)
    expect(recorded.blockers.size).toBe(blockers)
    // The machine, not its screen.
    for (const kind of recorded.blockers.values()) expect(kind).toBe('prevent-app-suspension')
    wakefulness.working(0)
    expect(recorded.blockers.size).toBe(0)
  })

  test('follows the power supply and the setting, with one blocker at most', () => {
    let choice: KeepAwake = 'on-power'
    const wakefulness = createWakefulness(() => choice)
    wakefulness.working(1)
    wakefulness.working(3)
    expect(recorded.blockers.size).toBe(1)
    answers.onBattery = true
    powerMonitor.emit('on-battery', event())
    expect(recorded.blockers.size).toBe(0)
    choice = 'always'
    wakefulness.changed()
    expect(recorded.blockers.size).toBe(1)
  })
})

describe('context menu', () => {
  const editFlags = { canUndo: false, canRedo: false, canCut: true, canCopy: true, canPaste: true, canSelectAll: true }
  const clicked = { isEditable: false, selectionText: '', linkURL: '', editFlags }

  test('copies a selection, edits a field, copies a link, and is absent elsewhere', () => {
    const roles = (more: object) => contextItems({ ...clicked, ...more }).map(({ role, label, type }) => role ?? label ?? type)
    expect(roles({})).toEqual([])
    expect(roles({ selectionText: 'x' })).toEqual(['copy'])
    expect(roles({ isEditable: true })).toEqual(['undo', 'redo', 'separator', 'cut', 'copy', 'paste', 'selectAll'])
    expect(roles({ linkURL: 'https://example.com/' })).toEqual(['Copy link address'])
  })

  test('opens where the page was clicked', () => {
    const window = new BrowserWindow({})
    offerContextMenu(strict(window.webContents) as unknown as Parameters<typeof offerContextMenu>[0])
    window.webContents.emit('context-menu', event(), clicked)
    expect(recorded.popups).toHaveLength(0)
    window.webContents.emit('context-menu', event(), { ...clicked, linkURL: 'https://example.com/a' })
    recorded.popups[0]?.choose('Copy link address')
    expect(recorded.calls).toContain('writeText https://example.com/a')
  })
})

describe('opening at login', () => {
  test('is a file of the desktop on Linux, with the AppImage where there is one', () => {
    const item = loginItem('linux', { APPIMAGE: '/home/a/Übung $1/Assay.AppImage' })
    expect(item.enabled()).toBe(false)
    item.set(true)
    const file = join(profile, 'autostart', 'assay.desktop')
    expect(readFileSync(file, 'utf8')).toContain('Exec="/home/a/Übung \\\\$1/Assay.AppImage"')
    expect(item.enabled()).toBe(true)
    item.set(false)
    expect(existsSync(file)).toBe(false)
    expect(() => item.set(false)).not.toThrow()
  })

  test.each(['darwin', 'win32'] as const)('is a setting of the system on %s', platform => {
    played.platform = platform
    const item = loginItem(platform, {})
    item.set(true)
    expect(recorded.loginItems).toEqual([{ openAtLogin: true }])
    expect(item.enabled()).toBe(true)
  })
})

describe('closing with runs working', () => {
  const work = { runs: 2, share: 0.5, paused: false }

  test.each<[number, ClosingAnswer]>([
    [0, 'tray'],
    [1, 'pause'],
    [2, 'cancel'],
    [3, 'cancel-closing'],
  ])('asks (answer %i: %s)', async (answer, expected) => {
    answers.messageBox = answer
    expect(await askWhatClosingDoes(shellWindow(), work, openSettings())).toBe(expected)
    expect(recorded.dialogs[0]?.options).toMatchObject({ message: '2 runs are working', cancelId: 3 })
    expect(openSettings().closing()).toBeNull()
  })

  test.each([
    [1, 0, 0],
    [0, 1, 1],
  ])('asks about what works now: %i seen last, %i now', async (seen, now, asked) => {
    const running: Running = {
      service: null,
      window: shellWindow(),
      origin: null,
      work: { ...work, runs: seen },
      look: async () => {
        running.work = { ...work, runs: now }
      },
      recent: [],
      pending: null,
      tray: null,
    }
    answers.messageBox = 3
    expect(await mayQuit(running, openSettings())).toBe(asked === 0)
    expect(recorded.dialogs).toHaveLength(asked)
  })

  test('asks once where the answer is to be remembered', async () => {
    answers.checkbox = true
    answers.messageBox = 1
    await askWhatClosingDoes(shellWindow(), work, openSettings())
    expect(await askWhatClosingDoes(shellWindow(), work, openSettings())).toBe('pause')
    expect(recorded.dialogs).toHaveLength(1)
  })

  test('remembers no refusal to quit: the app could not be closed any more', async () => {
    answers.checkbox = true
    answers.messageBox = 3
    await askWhatClosingDoes(shellWindow(), work, openSettings())
    expect(openSettings().closing()).toBeNull()
  })
})

describe('the tray', () => {
  test('shows progress, opens and quits, and goes', () => {
    const actions = { open: vi.fn<() => void>(), quit: vi.fn<() => void>() }
    const tray = createWorkTray('tray.png', actions)
    tray.hide()
    expect(recorded.trays).toEqual([])
    tray.show({ runs: 1, share: 0.25, paused: false })
    tray.show({ runs: 1, share: 0.5, paused: false })
    const [icon] = recorded.trays
    expect([recorded.trays.length, icon?.toolTip]).toEqual([1, '50 % · Assay'])
    icon?.menu?.choose('Open Assay')
    icon?.menu?.choose('Quit Assay')
    expect([actions.open.mock.calls.length, actions.quit.mock.calls.length]).toEqual([1, 1])
    tray.show({ runs: 0, share: null, paused: false })
    expect(icon?.toolTip).toBe('No runs are working')
    tray.hide()
    expect(icon?.destroyed).toBe(true)
  })
})

describe('recent runs', () => {
  const runs = [{ id: 'r1', name: 'Nightly' }]

  test('are in the jump list on Windows', () => {
    played.platform = 'win32'
    showRecentRuns(runs, vi.fn<(path: string) => void>(), 'win32')
    expect(recorded.jumpLists).toMatchObject([[{ name: 'Recent runs', items: [{ title: 'Nightly', args: 'assay://runs/r1' }] }]])
    showRecentRuns([], vi.fn<(path: string) => void>(), 'win32')
    expect(recorded.jumpLists.at(-1)).toBeNull()
  })

  test('are in the menu of the dock on macOS', () => {
    played.platform = 'darwin'
    const open = vi.fn<(path: string) => void>()
    showRecentRuns(runs, open, 'darwin')
    Reflect.apply(Reflect.get(Object(recorded.dockMenus[0]), 'choose'), recorded.dockMenus[0], ['Nightly'])
    expect(open.mock.calls).toEqual([['/runs/r1']])
  })

  test('ask nothing of Linux, which has neither', () => {
    played.platform = 'linux'
    expect(() => showRecentRuns(runs, vi.fn<(path: string) => void>(), 'linux')).not.toThrow()
  })
})

describe('release notes', () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- c\n\n## 0.2.0 - 2026-12-01\n\n### Added\n\n- **Tray** with `progress`\n\n## 0.1.0\n\n- a\n'

  test('are the section of the version as plain text', () => {
    expect(notesOf(changelog, '0.2.0')).toBe('Added\n\n- Tray with progress')
    expect(notesOf(changelog, '0.1')).not.toBeNull()
    expect(notesOf(changelog, '3.0.0')).toBeNull()
  })

  test.each([
    ['0.1.0', 1],
    ['0.2.0', 0],
    [null, 0],
  ])('are shown after an upgrade alone (from %s)', async (before, dialogs) => {
    const file = join(profile, 'CHANGELOG.md')
    await writeFile(file, changelog)
    await showReleaseNotes(shellWindow(), file, '0.2.0', before)
    expect(recorded.dialogs).toHaveLength(dialogs)
  })
})

describe('starting again', () => {
  test('runs the file of an AppImage, not the program inside, which is gone by then', () => {
    relaunch(['--port', '0'], { APPIMAGE: '/home/a/Assay.AppImage' })
    relaunch([], {})
    expect(recorded.relaunches).toEqual([{ args: ['--port', '0'], execPath: '/home/a/Assay.AppImage' }, { args: [] }])
  })
})
