import { describe, expect, test } from 'vitest'
import { pagePreferences, printPreferences, windowOptions } from '../../../src/main/window-options.ts'
import { firstWindowState } from '../../../src/main/window-state.ts'

const everyFlag = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
}

const screens = [{ x: 0, y: 0, width: 1920, height: 1080 }]
const look = { preloadFile: 'p', state: firstWindowState, dark: false, screens, icon: null }

describe('window options', () => {
  test('give the page exactly the safe flags and the preload script, and nothing more', () => {
    expect(windowOptions({ ...look, preloadFile: 'preload.cjs' }).webPreferences).toEqual({ ...everyFlag, preload: 'preload.cjs' })
  })

  test('are frozen, so that no later line can loosen them', () => {
    expect(Object.isFrozen(pagePreferences)).toBe(true)
    expect(Object.isFrozen(printPreferences)).toBe(true)
  })

  test('take scripts and the preload script from the page that a report is printed from', () => {
    expect(printPreferences).toEqual({ ...everyFlag, javascript: false })
  })

  // 1366 × 768 at 150 %.
  test('let the window be as small as the smallest screen', () => {
    expect(windowOptions({ ...look, screens: [...screens, { x: 0, y: 0, width: 911, height: 512 }] })).toMatchObject({
      minWidth: 900,
      minHeight: 512,
    })
  })

  test('have a picture only where the system takes none from the program', () => {
    expect(windowOptions(look)).not.toHaveProperty('icon')
    expect(windowOptions({ ...look, icon: 'icon.png' })).toMatchObject({ icon: 'icon.png' })
  })

  test('keep the window hidden until it is painted, in the color it will have', () => {
    expect(windowOptions({ ...look, dark: true })).toMatchObject({ show: false, width: 1280, height: 800, backgroundColor: '#1a1b1e' })
  })
})
