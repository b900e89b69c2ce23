import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopCommand } from './channels.ts'
import type { RecentRun } from './recent-runs.ts'
import { type KeepAwake, keepAwakeChoices } from './settings.ts'
import { type Theme, themes } from './theme.ts'

/** What the menu can do beyond the roles that Electron executes itself. */
export interface MenuActions {
  readonly command: (command: DesktopCommand) => void
  readonly openDataFolder: () => void
  readonly changeDataFolder: () => void
  readonly setTheme: (theme: Theme) => void
  readonly goBack: () => void
  readonly goForward: () => void
  readonly openApiReference: () => void
  readonly openRun: (id: string) => void
  readonly setKeepAwake: (choice: KeepAwake) => void
  readonly setLoginItem: (enabled: boolean) => void
  /** Forgets what closing with runs working was remembered to do. */
  readonly askOnClosing: () => void
  readonly checkForUpdates: () => void
}

export interface MenuFacts {
  readonly platform: NodeJS.Platform
  readonly theme: Theme
  readonly keepAwake: KeepAwake
  readonly startsAtLogin: boolean
  /** Whether it is remembered what closing with runs working does. */
  readonly closingRemembered: boolean
  readonly recent: readonly RecentRun[]
  /** Asked for updates; null where this build names none. */
  readonly updateHost: string | null
  /** Developer tools are offered only when run from source. */
  readonly packaged: boolean
}

const separator: MenuItemConstructorOptions = { type: 'separator' }
const keepAwakeLabels: Readonly<Record<KeepAwake, string>> = { never: 'Never', 'on-power': 'On mains power', always: 'Always' }
const themeLabels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function menuTemplate(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions[] {
  const mac = facts.platform === 'darwin'
  return [
    ...(mac ? [appMenu(facts, actions)] : []),
    fileMenu(mac, facts, actions),
    editMenu(actions),
    viewMenu(facts, actions),
    { role: 'windowMenu' },
    helpMenu(mac, facts, actions),
  ]
}

function appMenu(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settingsItem(actions),
      ...desktopItems(facts, actions),
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
}

function fileMenu(mac: boolean, facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'fileMenu',
    submenu: [
      { label: 'New run', accelerator: 'CmdOrCtrl+N', click: () => actions.command('new-quote') },
      {
        label: 'Recent runs',
        enabled: facts.recent.length > 0,
        submenu: facts.recent.map(({ id, name }) => ({ label: name, click: () => actions.openRun(id) })),
      },
      separator,
      { label: 'Open data folder', click: actions.openDataFolder },
      { label: 'Use another data folder…', click: actions.changeDataFolder },
      separator,
      ...(mac ? [] : [settingsItem(actions), ...desktopItems(facts, actions), separator]),
      mac ? { role: 'close' } : { role: 'quit' },
    ],
  }
}

function settingsItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => actions.command('settings') }
}

/** Settings of the shell, which no page has. */
function desktopItems(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions[] {
  return [
    {
      label: 'Keep awake during runs',
      submenu: keepAwakeChoices.map(choice => ({
        label: keepAwakeLabels[choice],
        type: 'radio',
        checked: choice === facts.keepAwake,
        click: () => actions.setKeepAwake(choice),
      })),
    },
    { label: 'Open at login', type: 'checkbox', checked: facts.startsAtLogin, click: item => actions.setLoginItem(item.checked) },
    { label: 'Ask when closing during runs', enabled: facts.closingRemembered, click: actions.askOnClosing },
  ]
}

function editMenu(actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'editMenu',
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'selectAll' },
      separator,
      { label: 'Find…', accelerator: 'CmdOrCtrl+F', click: () => actions.command('find') },
    ],
  }
}

function viewMenu(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'viewMenu',
    submenu: [
      { label: 'Command palette', accelerator: 'CmdOrCtrl+K', click: () => actions.command('command-palette') },
      { label: 'Back', accelerator: facts.platform === 'darwin' ? 'Cmd+[' : 'Alt+Left', click: actions.goBack },
      { label: 'Forward', accelerator: facts.platform === 'darwin' ? 'Cmd+]' : 'Alt+Right', click: actions.goForward },
      { role: 'reload' },
      separator,
      { label: 'Theme', submenu: themes.map(theme => themeItem(theme, facts.theme, actions)) },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...(facts.packaged ? [] : [separator, { role: 'toggleDevTools' } as const]),
    ],
  }
}

function themeItem(theme: Theme, current: Theme, actions: MenuActions): MenuItemConstructorOptions {
  return { label: themeLabels[theme], type: 'radio', checked: theme === current, click: () => actions.setTheme(theme) }
}

function helpMenu(mac: boolean, { updateHost }: MenuFacts, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Keyboard shortcuts', click: () => actions.command('help') },
      { label: 'API reference', click: actions.openApiReference },
      { label: 'Report a problem', click: () => actions.command('feedback') },
      { label: updateHost === null ? 'Check for updates…' : `Check for updates at ${updateHost}…`, click: actions.checkForUpdates },
      ...(mac ? [] : [separator, { role: 'about' } as const]),
    ],
  }
}
