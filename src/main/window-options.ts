import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron'
import type { WindowState } from './window-state.ts'

/**
 * What every page of Assay may do: nothing but be a web page. Each flag is written out, the defaults too, so that a change of a
 * default in a later Electron cannot widen it.
 */
export const pagePreferences = Object.freeze({
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
  // Chromium would fetch its dictionaries from a server of its vendor, and Assay opens no connection that the user did not ask for.
  spellcheck: false,
} as const satisfies WebPreferences)

/** Smallest window in which every screen still lays out, in device-independent pixels. */
const smallest = { minWidth: 900, minHeight: 600 }

/** Options of the one window. It is shown when its page has been painted, so `show` is false. */
export function windowOptions(preloadFile: string, state: WindowState, dark: boolean): BrowserWindowConstructorOptions {
  return {
    ...state.bounds,
    ...smallest,
    show: false,
    title: 'Assay',
    backgroundColor: dark ? '#1a1b1e' : '#ffffff',
    webPreferences: { ...pagePreferences, preload: preloadFile },
  }
}

/** Preferences of the hidden page that a report is printed from: the same, with scripts off as well. */
export const printPreferences = Object.freeze({ ...pagePreferences, javascript: false } as const satisfies WebPreferences)
