import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, test, vi } from 'vitest'

vi.mock('electron', () => import('./strict-electron.ts'))
const { menuTemplate } = await import('../../../src/main/menu.ts')

const actions = {
  command: vi.fn<(command: string) => void>(),
  openDataFolder: vi.fn<() => void>(),
  changeDataFolder: vi.fn<() => void>(),
  setTheme: vi.fn<(theme: string) => void>(),
  goBack: vi.fn<() => void>(),
  goForward: vi.fn<() => void>(),
  openApiReference: vi.fn<() => void>(),
  openRun: vi.fn<(id: string) => void>(),
  setKeepAwake: vi.fn<(choice: string) => void>(),
  setLoginItem: vi.fn<(enabled: boolean) => void>(),
  askOnClosing: vi.fn<() => void>(),
  checkForUpdates: vi.fn<() => void>(),
}
const facts = {
  theme: 'dark',
  keepAwake: 'on-power',
  startsAtLogin: false,
  closingRemembered: true,
  recent: [{ id: 'r1', name: 'Nightly' }],
  updateHost: 'updates.example.com',
} as const

function items(platform: NodeJS.Platform, packaged = true): MenuItemConstructorOptions[] {
  const walk = (list: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
    list.flatMap(item => [item, ...(Array.isArray(item.submenu) ? walk(item.submenu) : [])])
  return walk(menuTemplate({ ...facts, platform, packaged }, actions))
}

/** Chooses the item as a user would; the stand-in arguments are not looked at. */
function choose(label: string, platform: NodeJS.Platform = 'linux'): void {
  const item = items(platform).find(candidate => candidate.label === label)
  if (item?.click === undefined) throw new Error(`There is no item "${label}".`)
  Reflect.apply(item.click, undefined, [{ checked: true }])
}

describe('menu', () => {
  test.each([
    ['New run', 'new-quote'],
    ['Command palette', 'command-palette'],
    ['Keyboard shortcuts', 'help'],
    ['Settings…', 'settings'],
    ['Report a problem', 'feedback'],
    ['Find…', 'find'],
  ])('"%s" tells the page %s', (label, command) => {
    actions.command.mockClear()
    choose(label)
    expect(actions.command.mock.calls).toEqual([[command]])
  })

  test.each(['openDataFolder', 'changeDataFolder', 'goBack', 'goForward', 'openApiReference'] as const)('reaches %s', action => {
    const labels = {
      openDataFolder: 'Open data folder',
      changeDataFolder: 'Use another data folder…',
      goBack: 'Back',
      goForward: 'Forward',
      openApiReference: 'API reference',
    }
    actions[action].mockClear()
    choose(labels[action])
    expect(actions[action]).toHaveBeenCalledTimes(1)
  })

  test('shows the present theme and sets another', () => {
    const themes = items('linux').filter(item => item.type === 'radio' && ['System', 'Light', 'Dark'].includes(item.label ?? ''))
    expect(themes.map(item => [item.label, item.checked])).toEqual([
      ['System', false],
      ['Light', false],
      ['Dark', true],
    ])
    choose('Light')
    expect(actions.setTheme.mock.calls).toEqual([['light']])
  })

  test('has the settings of the shell, recent runs, and names the host that it asks for updates', () => {
    choose('Always')
    choose('Open at login')
    choose('Ask when closing during runs')
    choose('Nightly')
    choose('Check for updates at updates.example.com…')
    expect(actions.setKeepAwake.mock.calls).toEqual([['always']])
    expect(actions.setLoginItem.mock.calls).toEqual([[true]])
    expect(actions.askOnClosing).toHaveBeenCalledTimes(1)
    expect(actions.openRun.mock.calls).toEqual([['r1']])
    expect(actions.checkForUpdates).toHaveBeenCalledTimes(1)
  })

  test('offers developer tools only from source', () => {
    expect(items('linux', false).some(item => item.role === 'toggleDevTools')).toBe(true)
    expect(items('linux', true).some(item => item.role === 'toggleDevTools')).toBe(false)
  })

  test.each(['darwin', 'linux', 'win32'] as const)('has each shortcut once, and a way to quit and to edit text, on %s', platform => {
    const all = items(platform)
    const shortcuts = all.flatMap(item => item.accelerator ?? [])
    expect(new Set(shortcuts).size).toBe(shortcuts.length)
    expect(all.filter(item => item.label === 'Settings…')).toHaveLength(1)
    expect(all.map(item => item.role)).toEqual(expect.arrayContaining(['quit', 'editMenu', 'about']))
  })
})
