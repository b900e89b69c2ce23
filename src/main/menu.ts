import type { MenuItemConstructorOptions } from 'electron'
import type { DesktopCommand } from './channels.ts'
import { type Theme, themes } from './theme.ts'

/** What the menu can do beyond the roles that Electron carries out by itself. */
export interface MenuActions {
  readonly command: (command: DesktopCommand) => void
  readonly openDataFolder: () => void
  readonly changeDataFolder: () => void
  readonly setTheme: (theme: Theme) => void
  readonly goBack: () => void
  readonly goForward: () => void
  readonly openApiReference: () => void
}

export interface MenuFacts {
  readonly platform: NodeJS.Platform
  readonly theme: Theme
  /** Developer tools are offered only when run from source. */
  readonly packaged: boolean
}

const separator: MenuItemConstructorOptions = { type: 'separator' }
const themeLabels: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function menuTemplate(facts: MenuFacts, actions: MenuActions): MenuItemConstructorOptions[] {
  const mac = facts.platform === 'darwin'
  return [
    ...(mac ? [appMenu(actions)] : []),
    fileMenu(mac, actions),
    { role: 'editMenu' },
    viewMenu(facts, actions),
    { role: 'windowMenu' },
    helpMenu(mac, actions),
  ]
}

function appMenu(actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settingsItem(actions),
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

function fileMenu(mac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'fileMenu',
    submenu: [
      { label: 'New run', accelerator: 'CmdOrCtrl+N', click: () => actions.command('new-quote') },
      separator,
      { label: 'Open data folder', click: actions.openDataFolder },
      { label: 'Use another data folder…', click: actions.changeDataFolder },
      separator,
      ...(mac ? [] : [settingsItem(actions), separator]),
      mac ? { role: 'close' } : { role: 'quit' },
    ],
  }
}

function settingsItem(actions: MenuActions): MenuItemConstructorOptions {
  return { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => actions.command('settings') }
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

function helpMenu(mac: boolean, actions: MenuActions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Keyboard shortcuts', click: () => actions.command('help') },
      { label: 'API reference', click: actions.openApiReference },
      { label: 'Report a problem', click: () => actions.command('feedback') },
      ...(mac ? [] : [separator, { role: 'about' } as const]),
    ],
  }
}
