import { describe, expect, it } from 'vitest'
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

describe('window options', () => {
  it('give the page exactly the safe flags and the preload script, and nothing more', () => {
    expect(windowOptions('preload.cjs', firstWindowState, false).webPreferences).toEqual({ ...everyFlag, preload: 'preload.cjs' })
  })

  it('are frozen, so that no later line can loosen them', () => {
    expect(Object.isFrozen(pagePreferences)).toBe(true)
    expect(Object.isFrozen(printPreferences)).toBe(true)
  })

  it('take scripts and the preload script from the page that a report is printed from', () => {
    expect(printPreferences).toEqual({ ...everyFlag, javascript: false })
  })

  it('keep the window hidden until it is painted, in the color it will have', () => {
    expect(windowOptions('p', firstWindowState, true)).toMatchObject({ show: false, width: 1280, height: 800, backgroundColor: '#1a1b1e' })
  })
})
