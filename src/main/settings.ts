import { ipcMain } from 'electron'
import Store from 'electron-store'
import { type Theme, themes } from './theme.ts'
import type { WindowState } from './window-state.ts'
import { messageOf } from '../lib/message-of.ts'

/** When runs keep the machine from sleeping. */
export const keepAwakeChoices = ['never', 'on-power', 'always'] as const
export type KeepAwake = (typeof keepAwakeChoices)[number]

/** What closing does while runs are working. */
export const closingChoices = ['tray', 'pause', 'cancel'] as const
export type Closing = (typeof closingChoices)[number]

/** What the desktop shell itself remembers. Everything else is the service's and lives in its database. */
export interface Settings {
  /** Why the file cannot be used; null where it can. Without it, settings last until the app quits. */
  readonly problem: string | null
  theme(): Theme
  setTheme(theme: Theme): void
  /** Raw value from the file; readers validate it. */
  windowState(): unknown
  setWindowState(state: WindowState): void
  /** Null where the user has chosen none. */
  dataDir(): string | null
  setDataDir(path: string): void
  keepAwake(): KeepAwake
  setKeepAwake(choice: KeepAwake): void
  /** Null: ask. */
  closing(): Closing | null
  setClosing(choice: Closing | null): void
  /** Chromium's zoom level: each step is a factor of 1.2, 0 is 100 %. */
  zoomLevel(): number
  setZoomLevel(level: number): void
  /** Version that ran last; null at the first start. */
  lastVersion(): string | null
  setLastVersion(version: string): void
}

/** Listener that electron-store installs for stores made in a page. Assay makes none, and it would tell any page where the profile is. */
const storeChannel = 'electron-store-get-data'

/** Zoom levels of Chromium's menu: 25 % to 500 %. */
const [smallestZoom, largestZoom] = [-7.6, 8.9]

/** Opens the settings file in the profile folder. Never throws: a file that is not JSON is replaced, one that cannot be read is left. */
export function openSettings(): Settings {
  const { store, problem } = openStore()
  // Values are unknown because people edit the file; each is checked by itself, so that one bad value does not cost the others.
  let values: Readonly<Record<string, unknown>> = store?.store ?? {}
  const set = (key: string, value: unknown): void => {
    values = { ...values, [key]: value }
    try {
      store?.set(key, value)
    } catch (error) {
      console.error(`The setting "${key}" could not be saved.`, error)
    }
  }
  const oneOf = <Choice extends string>(key: string, choices: readonly Choice[]): Choice | null =>
    choices.find(choice => choice === values[key]) ?? null
  const text = (key: string): string | null => {
    const value = values[key]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    problem,
    theme: () => oneOf('theme', themes) ?? 'system',
    setTheme: theme => set('theme', theme),
    windowState: () => values['window'],
    setWindowState: state => set('window', state),
    dataDir: () => text('dataDir'),
    setDataDir: path => set('dataDir', path),
    keepAwake: () => oneOf('keepAwake', keepAwakeChoices) ?? 'on-power',
    setKeepAwake: choice => set('keepAwake', choice),
    closing: () => oneOf('closing', closingChoices),
    setClosing: choice => set('closing', choice),
    zoomLevel: () => {
      const level = values['zoomLevel']
      return typeof level === 'number' && level >= smallestZoom && level <= largestZoom ? level : 0
    },
    setZoomLevel: level => set('zoomLevel', level),
    lastVersion: () => text('lastVersion'),
    setLastVersion: version => set('lastVersion', version),
  }
}

function openStore(): { readonly store: Store<Record<string, unknown>> | null; readonly problem: string | null } {
  try {
    return { store: new Store<Record<string, unknown>>({ name: 'settings', clearInvalidConfig: true }), problem: null }
  } catch (error) {
    return { store: null, problem: messageOf(error) }
  } finally {
    ipcMain.removeAllListeners(storeChannel)
  }
}
