import type { BrowserWindowConstructorOptions, WebPreferences } from 'electron'
import { type Rectangle, smallestSize, type WindowState } from './window-state.ts'

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
const smallest = { width: 900, height: 600 }

export interface WindowLook {
  readonly preloadFile: string
  readonly state: WindowState
  readonly dark: boolean
  /** Work areas of all screens. */
  readonly screens: readonly Rectangle[]
  /** Picture for taskbar and switcher; null where the system takes it from the app's bundle. */
  readonly icon: string | null
}

/** Options of the one window. It is shown when its page has been painted, so `show` is false. */
export function windowOptions({ preloadFile, state, dark, screens, icon }: WindowLook): BrowserWindowConstructorOptions {
  const least = smallestSize(smallest, screens)
  return {
    ...state.bounds,
    minWidth: least.width,
    minHeight: least.height,
    show: false,
    title: 'Assay',
    backgroundColor: dark ? '#1a1b1e' : '#ffffff',
    ...(icon !== null && { icon }),
    webPreferences: { ...pagePreferences, preload: preloadFile },
  }
}

/** Preferences of the hidden page that a report is printed from: the same, with scripts off as well. */
export const printPreferences = Object.freeze({ ...pagePreferences, javascript: false } as const satisfies WebPreferences)
