import { ipcMain } from 'electron'
import Store from 'electron-store'
import { type Theme, themes } from './theme.ts'
import type { WindowState } from './window-state.ts'

/** What the desktop shell itself remembers. Everything else is the service's and lives in its database. */
export interface Settings {
  theme(): Theme
  setTheme(theme: Theme): void
  /** Raw value from the file; readers validate it. */
  windowState(): unknown
  setWindowState(state: WindowState): void
  /** Null where the user has chosen none. */
  dataDir(): string | null
  setDataDir(path: string): void
}

/** Listener that electron-store installs for stores made in a page. Assay makes none, and it would tell any page where the profile is. */
const storeChannel = 'electron-store-get-data'

/** Opens the settings file in the profile folder. A file that is not JSON any more is started afresh. */
export function openSettings(): Settings {
  // Values are unknown because people edit the file; each is checked by itself, so that one bad value does not cost the others.
  const store = new Store<Record<string, unknown>>({ name: 'settings', clearInvalidConfig: true })
  ipcMain.removeAllListeners(storeChannel)
  return {
    theme: () => themes.find(theme => theme === store.get('theme')) ?? 'system',
    setTheme: theme => store.set('theme', theme),
    windowState: () => store.get('window'),
    setWindowState: state => store.set('window', state),
    dataDir: () => {
      const stored = store.get('dataDir')
      return typeof stored === 'string' && stored !== '' ? stored : null
    },
    setDataDir: path => store.set('dataDir', path),
  }
}
