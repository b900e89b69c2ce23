import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { invokeChannels } from '../../../src/main/channels.ts'
import type { DesktopParts } from '../../../src/main/desktop.ts'
import {
  answers,
  app,
  type BrowserWindow,
  event,
  ipcMain,
  nativeTheme,
  recorded,
  resetElectron,
  session,
  signals,
  WebContents,
  windowLoaded,
} from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
vi.mock('../../../src/headless/frugal-process.ts', () => ({ keepHeapSmall: vi.fn<() => void>() }))
const { keepHeapSmall } = await import('../../../src/headless/frugal-process.ts')
const { startDesktop } = await import('../../../src/main/desktop.ts')

const origin = 'http://127.0.0.1:4747'
const mainDir = join('app', 'out', 'main')
const close = vi.fn<() => Promise<void>>()
const createService = vi.fn<DesktopParts['createService']>()
const isOurService = vi.fn<DesktopParts['isOurService']>()

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assay-desktop-'))
  resetElectron(profile)
  close.mockReset().mockResolvedValue()
  isOurService.mockReset().mockResolvedValue(true)
  createService.mockReset().mockResolvedValue({
    baseUrl: origin,
    publicUrl: origin,
    workspaceId: 'workspace',
    sessionToken: 'token',
    failed: new Promise(() => undefined),
    createPairingCode: () => ({ code: 'code', expiresAt: '2026-01-01T00:00:00.000Z' }),
    close,
  })
  vi.stubEnv('ASSAY_DATA_DIR', join(profile, 'from-environment'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(profile, { recursive: true })
})

function startWith(...args: string[]): void {
  process.argv.splice(2, process.argv.length, ...args)
  startDesktop({ createService, isOurService, mainDir })
}

async function opened(...args: string[]): Promise<BrowserWindow> {
  const loaded = windowLoaded()
  startWith(...args)
  return loaded
}

async function refused(error: Error, ...args: string[]): Promise<Record<string, unknown>> {
  createService.mockRejectedValue(error)
  const asked = once(signals, 'dialog')
  startWith(...args)
  const [dialog] = await asked
  return dialog.options
}

describe('starting', () => {
  it('takes the lock and turns the sandbox on before Electron is ready', async () => {
    await opened()
    expect(recorded.calls.slice(0, 4)).toEqual(['setPath userData', 'requestSingleInstanceLock', 'enableSandbox', 'whenReady'])
  })

  it('leaves everything to the instance that already runs', () => {
    answers.firstInstance = false
    const quit = vi.fn<() => void>()
    app.on('quit', quit)
    startWith()
    expect(quit).toHaveBeenCalledTimes(1)
    expect(createService).not.toHaveBeenCalled()
    expect(recorded.calls).not.toContain('whenReady')
  })

  it('comes to the front when it is started again', async () => {
    await opened()
    app.emit('second-instance')
    expect(recorded.calls.slice(-2)).toEqual(['restore', 'focus'])
  })

  it('starts the service with the built pages, the usual port and the keychain', async () => {
    await opened()
    const [config, host] = createService.mock.calls[0] ?? []
    expect(config).toEqual({
      dataDir: join(profile, 'from-environment'),
      port: 4747,
      portMayMove: true,
      rendererDir: join('app', 'out', 'renderer'),
      logLevel: 'info',
      proxies: { http: null, https: null, except: [] },
    })
    expect(host?.kind).toBe('desktop')
    expect(await host?.secrets.unavailableReason()).toBeNull()
    // The service's memory settings, as far as a running process takes them.
    expect(keepHeapSmall).toHaveBeenCalled()
  })

  it('accepts folder and port from the command line', async () => {
    await opened('--data-dir', join(profile, 'given'), '--port', '0')
    expect(createService.mock.calls[0]?.[0]).toMatchObject({ dataDir: join(profile, 'given'), port: 0, portMayMove: false })
  })

  it('does not listen to the environment once it is installed', async () => {
    app.isPackaged = true
    await opened()
    expect(createService.mock.calls[0]?.[0].dataDir).not.toContain('from-environment')
  })

  it('signs the window in before it goes to the service, and goes nowhere else', async () => {
    const window = await opened()
    expect(recorded.cookies).toEqual([
      { url: `${origin}/`, name: 'assay_session', value: 'token', path: '/', httpOnly: true, sameSite: 'strict', secure: false },
    ])
    expect(window.webContents.visited).toEqual([`${origin}/`])
    expect(recorded.windows).toHaveLength(1)
  })

  it('gives the window the safe preferences and the built preload script', async () => {
    const window = await opened()
    expect(window.options['webPreferences']).toEqual({
      preload: join('app', 'out', 'preload', 'index.cjs'),
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
    })
  })

  it('answers exactly the channels it names, and listens on no other', async () => {
    await opened()
    expect([...ipcMain.handlers.keys()]).toEqual([...invokeChannels])
    expect(ipcMain.eventNames()).toEqual([])
  })

  it('guards every page that is ever made, and the session they share', async () => {
    const window = await opened()
    const other = new WebContents(window)
    for (const contents of [window.webContents, other]) {
      expect(contents.openHandler({ url: 'https://example.com/' })).toEqual({ action: 'deny' })
      expect(contents.eventNames()).toEqual(
        expect.arrayContaining(['will-navigate', 'will-frame-navigate', 'will-redirect', 'will-attach-webview']),
      )
    }
    expect([
      session.defaultSession.requestHandler,
      session.defaultSession.checkHandler,
      session.defaultSession.deviceHandler,
    ]).not.toContain(null)
  })

  it('lets only its own pages start a download', async () => {
    await opened()
    const stopped = vi.fn<(url: string) => void>()
    for (const url of [`${origin}/v1/x`, 'https://example.com/x.zip']) {
      session.defaultSession.emit('will-download', { preventDefault: () => stopped(url) }, { getURL: () => url })
    }
    expect(stopped.mock.calls).toEqual([['https://example.com/x.zip']])
  })

  it('sets the remembered theme, and remembers where the window was', async () => {
    const window = await opened()
    expect(nativeTheme.themeSource).toBe('system')
    window.emit('ready-to-show')
    expect(window.shown).toBe(true)
    window.emit('close', event())
    resetElectron(profile)
    const again = await opened()
    expect(again.options).toMatchObject({ x: 10, y: 20, width: 1280, height: 800 })
  })
})

describe('a link out of the window', () => {
  it.each([
    [1, ['https://example.com/']],
    [0, []],
  ])('is followed only when the user says so (answer %i)', async (answer, expected) => {
    const window = await opened()
    answers.messageBox = answer
    const asked = once(signals, 'dialog')
    window.webContents.emit('will-navigate', event({ url: 'https://example.com/' }))
    await asked
    await setImmediate()
    expect(recorded.dialogs.map(dialog => dialog.options['message'])).toEqual(['Open example.com in your browser?'])
    expect(recorded.opened).toEqual(expected)
  })
})

describe('quitting', () => {
  it('closes the service when the last window closes, on every system', async () => {
    const window = await opened()
    const quit = once(app, 'quit')
    window.close()
    await quit
    expect(close).toHaveBeenCalledTimes(1)
  })

  it('waits for a service that is still starting', async () => {
    const starting = Promise.withResolvers<Awaited<ReturnType<DesktopParts['createService']>>>()
    createService.mockReturnValue(starting.promise)
    startWith()
    await expect.poll(() => createService).toHaveBeenCalled()
    const quit = once(app, 'quit')
    app.quit()
    starting.resolve({
      baseUrl: origin,
      publicUrl: origin,
      workspaceId: 'w',
      sessionToken: 't',
      failed: new Promise(() => undefined),
      createPairingCode: () => ({ code: '', expiresAt: '' }),
      close,
    })
    await quit
    expect(close).toHaveBeenCalledTimes(1)
  })
})

describe('a start that fails', () => {
  it('says why, with the folder, and quits', async () => {
    const quit = once(app, 'quit')
    const options = await refused(Object.assign(new Error('It runs at http://127.0.0.1:4747.'), { name: 'DataFolderInUseError' }))
    expect(options).toMatchObject({
      type: 'error',
      message: 'Another Assay is using this data folder',
      buttons: ['Quit', 'Use another data folder…'],
    })
    expect(options['detail']).toContain(join(profile, 'from-environment'))
    await quit
    expect(recorded.windows).toEqual([])
  })

  it('starts again in the folder that the user chooses instead, without the one of the command line', async () => {
    answers.messageBox = 1
    answers.openDialog = { canceled: false, filePaths: [join(profile, 'chosen')] }
    const quit = once(app, 'quit')
    await refused(new Error('no'), '--data-dir', '/locked', '--port=0')
    await quit
    expect(recorded.relaunches).toEqual([{ args: [process.argv[1], '--port=0'] }])
    resetElectron(profile)
    createService.mockRejectedValue(new Error('seen'))
    const asked = once(signals, 'dialog')
    startWith()
    await asked
    expect(createService.mock.lastCall?.[0].dataDir).toBe(join(profile, 'chosen'))
  })

  it('gives its session to no program that has taken the port', async () => {
    isOurService.mockResolvedValue(false)
    const asked = once(signals, 'dialog')
    startWith()
    const [dialog] = await asked
    expect(dialog.options.detail).toContain('Another program answers at')
    expect(isOurService).toHaveBeenCalledWith({ base_url: origin, session_token: 'token' })
    expect(recorded.cookies).toEqual([])
    expect(recorded.windows).toEqual([])
  })

  it('explains an option that cannot be used', async () => {
    const asked = once(signals, 'dialog')
    startWith('--port', 'abc')
    const [dialog] = await asked
    expect(dialog.options.detail).toContain('--port takes a whole number')
    expect(createService).not.toHaveBeenCalled()
  })
})
