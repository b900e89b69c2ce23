import { once } from 'node:events'
import { beforeEach, describe, expect, test } from 'vitest'
import { declaredType, memberOf } from './electron/typings.ts'
import { answers, app as rawApp, event, played, raw, recorded, resetElectron } from './fake-electron.ts'
import * as electron from './strict-electron.ts'

beforeEach(() => resetElectron('profile'))

/** Calls as a program without types could. */
const call = (on: object, name: string, ...args: unknown[]): unknown => Reflect.apply(Reflect.get(on, name), on, args)

describe('the typings', () => {
  test('are read from the package whole', () => {
    expect(declaredType('BrowserWindow')?.parent).toBe('BaseWindow')
    expect(memberOf('BrowserWindow', 'setProgressBar')?.overloads[0]?.map(({ name }) => name)).toEqual(['progress', 'options'])
    expect(memberOf('App', 'setJumpList')?.platforms).toEqual(['win32'])
  })
})

describe('the stand-in throws', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['for a member that Electron does not have', () => Reflect.get(electron.app, 'quitNow'), /App has no member "quitNow"/],
    [
      'for an event that Electron does not have',
      () => electron.app.on('window-closed', () => undefined),
      /App has no event "window-closed"/,
    ],
    ['for an argument of the wrong type', () => call(electron.app, 'setPath', 'userData', 7), /App.setPath: path must be string/],
    ['for an argument too many', () => call(electron.app, 'getVersion', 1), /takes 0 arguments/],
    ['for a missing argument', () => call(electron.app, 'setPath', 'userData'), /argument "path" is missing/],
    [
      'for an option that Electron does not know',
      () => new electron.BrowserWindow({ webPreferences: { contextIsolaton: true } }),
      /webPreferences.contextIsolaton is unknown/,
    ],
    ['for an option of the wrong type', () => new electron.BrowserWindow({ width: '900' }), /options.width must be number/],
    ['for a word that is none of a union', () => Reflect.set(electron.nativeTheme, 'themeSource', 'pink'), /themeSource must be/],
    ['for a member that it does not play', () => Reflect.get(electron.app, 'showAboutPanel'), /does not play "showAboutPanel"/],
  ])('%s', (_case, act, message) => {
    expect(act).toThrow(message)
  })

  test('for a window before the app is ready', () => {
    rawApp.ready = false
    expect(() => new electron.BrowserWindow({})).toThrow('before app is ready')
  })

  test('for every member of a destroyed object but isDestroyed', () => {
    const window = new electron.BrowserWindow({})
    const { webContents } = window
    window.destroy()
    expect(window.isDestroyed()).toBe(true)
    expect(() => window.focus()).toThrow('Object has been destroyed')
    expect(() => window.webContents).toThrow('Object has been destroyed')
    expect(() => webContents.reload()).toThrow('Object has been destroyed')
  })

  test('where a member of another system is called', () => {
    played.platform = 'linux'
    expect(electron.app.setJumpList).toBeUndefined()
    expect(electron.app.dock).toBeUndefined()
    played.platform = 'win32'
    expect(electron.app.setJumpList).toBeTypeOf('function')
  })
})

describe('events come in the order of the sources', () => {
  const order: string[] = []
  beforeEach(() => {
    order.length = 0
    for (const name of ['before-quit', 'window-all-closed', 'will-quit', 'quit']) electron.app.on(name, () => order.push(name))
  })

  function windowed() {
    const window = new electron.BrowserWindow({})
    for (const name of ['close', 'closed']) window.on(name, () => order.push(name))
    return window
  }

  test('when the app quits: no word that all windows are closed', () => {
    windowed()
    rawApp.quit()
    expect(order).toEqual(['before-quit', 'close', 'closed', 'will-quit', 'quit'])
  })

  test('when the last window closes', () => {
    windowed().close()
    expect(order).toEqual(['close', 'closed', 'window-all-closed'])
  })

  test('when a window refuses to close: quitting is taken back, and can be begun again', () => {
    const window = windowed()
    window.once('close', closing => Object(closing).preventDefault())
    rawApp.quit()
    expect(order).toEqual(['before-quit', 'close'])
    rawApp.quit()
    expect(order.at(-1)).toBe('quit')
  })

  test('when the app exits: windows are not asked', () => {
    windowed()
    rawApp.exit(3)
    expect(order).toEqual(['closed', 'quit'])
  })

  test('when a page is destroyed in loading: its promise rejects as Electron’s', async () => {
    answers.holdLoading = true
    const window = new electron.BrowserWindow({})
    const loaded = window.loadURL('http://127.0.0.1:1/')
    window.destroy()
    await expect(loaded).rejects.toMatchObject({ code: 'ERR_FAILED', errno: -2 })
  })
})

test('gives listeners strict objects, and the objects behind them to tests', async () => {
  const made = once(electron.app, 'web-contents-created')
  const window = new electron.BrowserWindow({})
  const [, contents] = await made
  expect(contents).toBe(window.webContents)
  expect(raw(window)).toBe(recorded.windows[0])
  expect(event().defaultPrevented).toBe(false)
})
