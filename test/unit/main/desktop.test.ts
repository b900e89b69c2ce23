import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { invokeChannels } from '../../../src/main/channels.ts'
import type { DesktopParts } from '../../../src/main/desktop.ts'
import { runFixture } from '../renderer/runs/fixtures.ts'
import {
  answers,
  app,
  type BrowserWindow,
  event,
  ipcMain,
  played,
  powerMonitor,
  nativeTheme,
  recorded,
  resetElectron,
  session,
  signals,
  WebContents,
  windowLoaded,
} from './fake-electron.ts'

vi.mock('electron', () => import('./strict-electron.ts'))
const { startDesktop } = await import('../../../src/main/desktop.ts')

const origin = 'http://127.0.0.1:4747'
const mainDir = join('app', 'out', 'main')
const close = vi.fn<() => Promise<void>>()
const onRestart = vi.fn<(callback: (ended: string) => void) => void>()
const startService = vi.fn<DesktopParts['startService']>()
const isOurService = vi.fn<DesktopParts['isOurService']>()

let profile: string
beforeEach(async () => {
  profile = await mkdtemp(join(tmpdir(), 'assay-desktop-'))
  resetElectron(profile)
  close.mockReset().mockResolvedValue()
  isOurService.mockReset().mockResolvedValue(true)
  startService.mockReset().mockResolvedValue({
    baseUrl: origin,
    publicUrl: origin,
    workspaceId: 'workspace',
    sessionToken: 'token',
    failed: new Promise(() => undefined),
    onRestart,
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
  startDesktop({ startService, isOurService, mainDir, updatesUrl: '' })
}

async function opened(...args: string[]): Promise<BrowserWindow> {
  const loaded = windowLoaded()
  startWith(...args)
  return loaded
}

async function refused(error: Error, ...args: string[]): Promise<Record<string, unknown>> {
  startService.mockRejectedValue(error)
  const asked = once(signals, 'dialog')
  startWith(...args)
  const [dialog] = await asked
  return dialog.options
}

describe('starting', () => {
  test('takes the lock and turns the sandbox on before Electron is ready', async () => {
    await opened()
    expect(recorded.calls.slice(0, 4)).toEqual(['setPath userData', 'requestSingleInstanceLock', 'enableSandbox', 'whenReady'])
  })

  test('leaves everything to the instance that already runs', () => {
    answers.firstInstance = false
    const quit = vi.fn<() => void>()
    app.on('quit', quit)
    startWith()
    expect(quit).toHaveBeenCalledTimes(1)
    expect(startService).not.toHaveBeenCalled()
    expect(recorded.calls).not.toContain('whenReady')
  })

  test('comes to the front when it is started again', async () => {
    await opened()
    app.emit('second-instance', event(), ['assay'], profile, null)
    expect(recorded.calls.slice(-2)).toEqual(['restore', 'focus'])
  })

  test('starts the service with the built pages, the usual port and the keychain', async () => {
    await opened()
    const [config, host] = startService.mock.calls[0] ?? []
    expect(config).toEqual({
      dataDir: join(profile, 'from-environment'),
      port: 4747,
      portMayMove: true,
      rendererDir: join('app', 'out', 'renderer'),
      logLevel: 'info',
      proxies: { from: 'environment', http: null, https: null, except: [] },
    })
    expect(host?.kind).toBe('desktop')
    expect(await host?.secrets.unavailableReason()).toBeNull()
  })

  test('accepts folder and port from the command line', async () => {
    await opened('--data-dir', join(profile, 'given'), '--port', '0')
    expect(startService.mock.calls[0]?.[0]).toMatchObject({ dataDir: join(profile, 'given'), port: 0, portMayMove: false })
  })

  test('does not listen to the environment once it is installed', async () => {
    app.isPackaged = true
    await opened()
    expect(startService.mock.calls[0]?.[0].dataDir).not.toContain('from-environment')
  })

  test('signs the window in before it goes to the service, and goes nowhere else', async () => {
    const window = await opened()
    expect(recorded.cookies).toEqual([
      { url: `${origin}/`, name: 'assay_session', value: 'token', path: '/', httpOnly: true, sameSite: 'strict', secure: false },
    ])
    expect(window.webContents.visited).toEqual([`${origin}/`])
    expect(recorded.windows).toHaveLength(1)
  })

  test('gives the window the safe preferences and the built preload script', async () => {
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

  test('answers exactly the channels it names, and listens on no other', async () => {
    await opened()
    expect([...ipcMain.handlers.keys()]).toEqual([...invokeChannels])
    expect(ipcMain.eventNames()).toEqual([])
  })

  test('guards every page that is ever made, and the session they share', async () => {
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

  test('lets only its own pages start a download', async () => {
    await opened()
    const stopped = vi.fn<(url: string) => void>()
    for (const url of [`${origin}/v1/x`, 'https://example.com/x.zip']) {
      session.defaultSession.emit('will-download', { preventDefault: () => stopped(url) }, { getURL: () => url })
    }
    expect(stopped.mock.calls).toEqual([['https://example.com/x.zip']])
  })

  test('sets the remembered theme, and remembers where the window was', async () => {
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
  test.each([
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

describe('a service that was restarted after a crash', () => {
  test('is given the window’s sign-in again, and the window says so', async () => {
    const window = await opened()
    await setImmediate()
    onRestart.mock.lastCall?.[0]('its process ended with code 9.')
    await expect.poll(() => recorded.dialogs).toHaveLength(1)
    expect(recorded.cookies).toHaveLength(2)
    expect(recorded.dialogs[0]?.parent).toBe(window)
    expect(recorded.dialogs[0]?.options).toMatchObject({
      message: 'The service stopped and was restarted',
      detail: expect.stringContaining('code 9'),
    })
  })
})

describe('quitting', () => {
  test('closes the service when the last window closes, on every system', async () => {
    const window = await opened()
    const quit = once(app, 'quit')
    window.close()
    await quit
    expect(close).toHaveBeenCalledTimes(1)
  })

  test('waits for a service that is still starting', async () => {
    const starting = Promise.withResolvers<Awaited<ReturnType<DesktopParts['startService']>>>()
    startService.mockReturnValue(starting.promise)
    startWith()
    await expect.poll(() => startService).toHaveBeenCalled()
    const quit = once(app, 'quit')
    app.quit()
    starting.resolve({
      baseUrl: origin,
      publicUrl: origin,
      workspaceId: 'w',
      sessionToken: 't',
      failed: new Promise(() => undefined),
      onRestart,
      close,
    })
    await quit
    expect(close).toHaveBeenCalledTimes(1)
  })
})

describe('work that goes on', () => {
  /** The service as `fetch` reaches it: what is listed as running, and what was asked of it. */
  function serving(running: readonly unknown[]) {
    const asked: string[] = []
    vi.stubGlobal('fetch', async (url: URL, init?: RequestInit) => {
      asked.push(`${init?.method ?? 'GET'} ${url.pathname}`)
      const isListed = url.searchParams.get('status') === 'running'
      const run = running[0]
      const body = url.pathname === '/v1/runs' ? { items: isListed ? running : [], next_cursor: null } : run
      return Response.json(body, { status: init?.method === 'POST' ? 202 : 200 })
    })
    return asked
  }
  afterEach(() => void vi.unstubAllGlobals())

  async function openedWithWork(more: object = {}) {
    const id = '01900000-0000-7000-8000-00000000000a'
    const asked = serving([runFixture({ id, status: 'running', name: 'Nightly', ...more })])
    const window = await opened()
    window.show()
    await expect.poll(() => recorded.progress.some(share => share >= 0)).toBe(true)
    return { window, asked, id }
  }

  test('is asked about when the window closes, and goes on in the tray', async () => {
    const { window } = await openedWithWork()
    window.close()
    await expect.poll(() => recorded.trays).toHaveLength(1)
    expect(recorded.dialogs[0]?.parent).toBe(window)
    expect([window.shown, window.destroyed, close.mock.calls.length]).toEqual([false, false, 0])
    // Started again, it comes back from the tray.
    app.emit('second-instance', event(), ['assay'], profile, null)
    expect([window.shown, recorded.trays[0]?.destroyed]).toEqual([true, true])
  })

  test.each([
    [1, false],
    [2, true],
  ])('is paused or cancelled before the app quits (answer %i)', async (answer, cancelled) => {
    const { asked, window, id } = await openedWithWork()
    answers.messageBox = answer
    const quit = once(app, 'quit')
    window.close()
    await quit
    expect(asked.includes(`POST /v1/runs/${id}/cancel`)).toBe(cancelled)
    expect(close).toHaveBeenCalledTimes(1)
  })

  test('keeps the app open when the answer is not to quit', async () => {
    const { window } = await openedWithWork()
    answers.messageBox = 3
    app.quit()
    await expect.poll(() => recorded.dialogs).toHaveLength(1)
    await setImmediate()
    expect([window.destroyed, close.mock.calls.length]).toEqual([false, 0])
  })

  test('is asked about by no log-out', async () => {
    await openedWithWork()
    const shutdown = event()
    powerMonitor.emit('shutdown', shutdown)
    expect(shutdown.defaultPrevented).toBe(true)
    await expect.poll(() => recorded.exits).toEqual([0])
    expect(recorded.dialogs).toEqual([])
    expect(close).toHaveBeenCalledTimes(1)
  })

  test('keeps the machine awake, and resumes at once after sleep what lost its endpoint', async () => {
    const pause = {
      code: 'endpoint_down',
      waits_for: 'model',
      message: 'It refuses connections.',
      since: null,
      gives_up_at: null,
      next_attempt_at: null,
    }
    const { asked, id } = await openedWithWork({ pause })
    // Waiting needs no machine that is awake.
    expect(recorded.blockers.size).toBe(0)
    powerMonitor.emit('suspend', event())
    powerMonitor.emit('resume', event())
    await expect.poll(() => asked).toContain(`POST /v1/runs/${id}/resume`)
    expect(asked).not.toContain(`POST /v1/runs/${id}/pause`)
  })

  test('is paused before sleep and resumed after it', async () => {
    const { asked, id } = await openedWithWork()
    powerMonitor.emit('suspend', event())
    await expect.poll(() => asked).toContain(`POST /v1/runs/${id}/pause`)
    vi.unstubAllGlobals()
    const pause = { code: 'paused', waits_for: 'model', message: 'Paused.', since: null, gives_up_at: null, next_attempt_at: null } as const
    const after = serving([runFixture({ id, status: 'running', name: 'Nightly', pause })])
    powerMonitor.emit('resume', event())
    await expect.poll(() => after).toContain(`POST /v1/runs/${id}/resume`)
  })
})

describe('what outlives the window', () => {
  const choose = (label: string) => Reflect.apply(Reflect.get(Object(recorded.menus.at(-1)), 'choose'), recorded.menus.at(-1), [label])

  test('a menu does nothing while the service closes, and throws nothing on a window that is gone', async () => {
    const closed = Promise.withResolvers<void>()
    close.mockReturnValue(closed.promise)
    const window = await opened()
    const quit = once(app, 'quit')
    app.quit()
    await expect.poll(() => close).toHaveBeenCalled()
    for (const label of ['New run', 'Settings…', 'Back', 'API reference']) choose(label)
    expect(window.webContents.sent).toEqual([])
    closed.resolve()
    await quit
    expect(window.destroyed).toBe(true)
    for (const label of ['New run', 'Settings…', 'Back', 'API reference', 'Check for updates…']) choose(label)
  })

  test('a menu item reaches the page', async () => {
    const window = await opened()
    choose('New run')
    expect(window.webContents.sent).toEqual([['assay:command', 'new-quote']])
  })

  test('a window closed before its first page is there ends the app without a word of failure', async () => {
    answers.holdLoading = true
    const window = await opened()
    const quit = once(app, 'quit')
    window.close()
    await quit
    await setImmediate()
    expect(recorded.dialogs).toEqual([])
  })

  test('the app started again while it is ending starts once more, with what was asked for', async () => {
    const closed = Promise.withResolvers<void>()
    close.mockReturnValue(closed.promise)
    await opened()
    const quit = once(app, 'quit')
    app.quit()
    await expect.poll(() => close).toHaveBeenCalled()
    app.emit('second-instance', event(), ['assay', 'assay://runs/r1'], profile, null)
    closed.resolve()
    await quit
    expect(recorded.relaunches).toEqual([{ args: ['assay://runs/r1'] }])
  })
})

describe('links and files', () => {
  test('open in the window that is there', async () => {
    const window = await opened()
    await setImmediate()
    app.emit('second-instance', event(), ['assay', 'assay://runs/r1'], profile, null)
    const link = event()
    app.emit('open-url', link, 'assay://catalog/gsm8k')
    expect(link.defaultPrevented).toBe(true)
    app.emit('open-url', event(), 'assay://v1/me')
    expect(window.webContents.sent).toEqual([
      ['assay:open', '/runs/r1'],
      ['assay:open', '/catalog/gsm8k'],
    ])
  })

  test('open first when Assay is started by one, or was given one before it was ready', async () => {
    const window = await opened('assay://runs/r1')
    expect(window.webContents.visited).toEqual([`${origin}/runs/r1`])
  })

  test('are asked about before a file is added, and what fails is said', async () => {
    const window = await opened()
    await setImmediate()
    app.emit('open-file', event(), join(profile, 'missing.assay'))
    await expect.poll(() => recorded.dialogs).toHaveLength(1)
    expect(recorded.dialogs[0]?.parent).toBe(window)
    expect(recorded.dialogs[0]?.options).toMatchObject({ message: 'Add the benchmark package missing.assay?' })
    answers.messageBox = 1
    app.emit('open-file', event(), join(profile, 'missing.assay'))
    await expect.poll(() => recorded.dialogs.at(-1)?.options['message']).toBe('Couldn’t add missing.assay')
  })
})

describe('each system', () => {
  test('Windows is told which program it is before Electron is ready, and lets a sign-out close windows', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    played.platform = 'win32'
    const window = await opened()
    const calls = [...recorded.calls]
    expect(calls.indexOf('setAppUserModelId dev.assay.workstation')).toBeGreaterThanOrEqual(0)
    expect(calls.indexOf('setAppUserModelId dev.assay.workstation')).toBeLessThan(calls.indexOf('whenReady'))
    const ending = event({ reasons: ['logoff'] })
    window.emit('query-session-end', ending)
    expect(ending.defaultPrevented).toBe(false)
    const closing = event()
    window.emit('close', closing)
    expect(closing.defaultPrevented).toBe(false)
    vi.restoreAllMocks()
  })

  test('a Linux desktop that Chromium knows no keyring of is asked for the Secret Service', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('linux')
    played.platform = 'linux'
    vi.stubEnv('XDG_CURRENT_DESKTOP', 'sway')
    vi.stubEnv('DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/1000/bus')
    await opened()
    expect(recorded.switches).toEqual([['password-store', 'gnome-libsecret']])
    vi.restoreAllMocks()
  })
})

describe('an AppImage without user namespaces', () => {
  test('says that the sandbox is off, and what to install, once for each version', async () => {
    recorded.switches.push(['no-sandbox'])
    const window = await opened()
    await expect.poll(() => recorded.dialogs).toHaveLength(1)
    expect(recorded.dialogs[0]?.parent).toBe(window)
    expect(recorded.dialogs[0]?.options).toMatchObject({ detail: expect.stringContaining('.deb package') })
    const quit = once(app, 'quit')
    window.close()
    await quit
    resetElectron(profile)
    recorded.switches.push(['no-sandbox'])
    await opened()
    await setImmediate()
    expect(recorded.dialogs).toEqual([])
  })
})

describe('settings that cannot be read', () => {
  test('are said once the window is there, and everything else works', async () => {
    await mkdir(join(profile, 'Assay Desktop', 'settings.json'), { recursive: true })
    const window = await opened()
    await expect.poll(() => recorded.dialogs).toHaveLength(1)
    expect(recorded.dialogs[0]?.parent).toBe(window)
    expect(recorded.dialogs[0]?.options).toMatchObject({ message: 'Couldn’t read the app’s settings' })
    const quit = once(app, 'quit')
    window.close()
    await quit
  })
})

describe('a start that fails', () => {
  test('says why, with the folder, and quits', async () => {
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

  test('starts again in the folder that the user chooses instead, without the one of the command line', async () => {
    answers.messageBox = 1
    answers.openDialog = { canceled: false, filePaths: [join(profile, 'chosen')] }
    const quit = once(app, 'quit')
    await refused(new Error('no'), '--data-dir', '/locked', '--port=0')
    await quit
    expect(recorded.relaunches).toEqual([{ args: [process.argv[1], '--port=0'] }])
    resetElectron(profile)
    startService.mockRejectedValue(new Error('seen'))
    const asked = once(signals, 'dialog')
    startWith()
    await asked
    expect(startService.mock.lastCall?.[0].dataDir).toBe(join(profile, 'chosen'))
  })

  test('gives its session to no program that has taken the port', async () => {
    isOurService.mockResolvedValue(false)
    const asked = once(signals, 'dialog')
    startWith()
    const [dialog] = await asked
    expect(dialog.options.detail).toContain('Another program answers at')
    expect(isOurService).toHaveBeenCalledWith({ base_url: origin, session_token: 'token' })
    expect(recorded.cookies).toEqual([])
    expect(recorded.windows).toEqual([])
  })

  test('explains an option that cannot be used', async () => {
    const asked = once(signals, 'dialog')
    startWith('--port', 'abc')
    const [dialog] = await asked
    expect(dialog.options.detail).toContain('--port takes a whole number')
    expect(startService).not.toHaveBeenCalled()
  })
})
