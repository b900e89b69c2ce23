import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { decideShell, type ShellFacts } from '../../../src/headless/decide-shell.ts'

const installed = join('modules', 'electron', 'dist', 'electron')

/** A Linux desktop with Electron, changed as the case says. */
function decide(changes: Partial<ShellFacts> = {}, ...present: string[]) {
  const files = present.length === 0 ? [installed] : present
  return decideShell({
    env: { DISPLAY: ':0' },
    platform: 'linux',
    electron: { dir: join('modules', 'electron'), program: 'electron' },
    root: false,
    exists: path => files.includes(path),
    ...changes,
  })
}

describe('a start opens the desktop app', () => {
  test('on Linux with an X display', () => {
    expect(decide()).toEqual({ shell: 'desktop', program: installed, reason: `Electron is at ${installed}` })
  })

  test('on Linux with a Wayland display', () => {
    expect(decide({ env: { WAYLAND_DISPLAY: 'wayland-0' } }).shell).toBe('desktop')
  })

  test.each<[NodeJS.Platform, string]>([
    ['darwin', 'Electron.app/Contents/MacOS/Electron'],
    ['win32', 'electron.exe'],
    ['linux', 'electron'],
  ])('on %s where the installer left no note, at the usual place', (platform, program) => {
    const path = join('modules', 'electron', 'dist', program)
    const decision = decide({ platform, electron: { dir: join('modules', 'electron'), program: null } }, path)
    expect(decision).toMatchObject({ shell: 'desktop', program: path })
  })

  test('on a Mac and on Windows without asking for a display', () => {
    for (const platform of ['darwin', 'win32'] as const) expect(decide({ platform, env: {} }).shell).toBe('desktop')
  })

  test('from the folder that ELECTRON_OVERRIDE_DIST_PATH names', () => {
    const path = join('elsewhere', 'electron')
    expect(decide({ env: { DISPLAY: ':0', ELECTRON_OVERRIDE_DIST_PATH: 'elsewhere' } }, path)).toMatchObject({
      shell: 'desktop',
      program: path,
    })
  })
})

describe('a start serves a browser', () => {
  test.each<[string, Partial<ShellFacts>]>([
    ['Electron is not installed', { electron: null }],
    [`Electron's program is not at ${installed} ("npx --no install-electron" downloads it)`, { exists: () => false }],
    ['there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)', { env: {} }],
    ['there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)', { env: { DISPLAY: '', WAYLAND_DISPLAY: '' } }],
    ["Electron's sandbox does not run as root", { root: true }],
  ])('because %s', (reason, changes) => {
    expect(decide(changes)).toEqual({ shell: 'headless', reason })
  })
})
