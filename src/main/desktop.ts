import { join } from 'node:path'
import { app, type BrowserWindow, dialog, Menu, nativeTheme, safeStorage, session, shell } from 'electron'
import { defaultDataDir } from '../headless/config.ts'
import { environmentProxies } from '../headless/environment-proxies.ts'
import { defaultPort, type ServiceConfig } from '../service/config.ts'
import { createCaller } from './call-service.ts'
import { commandChannel, type DesktopCommand, openChannel } from './channels.ts'
import { offerContextMenu } from './context-menu.ts'
import { watchCrashes } from './crash-page.ts'
import { changeDataFolder, reportStartFailure } from './data-folder.ts'
import { drainBeforeQuit, drainDeadline, type Quitting } from './drain-before-quit.ts'
import { createExternalLinks } from './external-links.ts'
import { guardContents } from './guard-contents.ts'
import { createWakefulness } from './keep-awake.ts'
import { passwordStore } from './keyring.ts'
import { parseLaunchOptions } from './launch-options.ts'
import { loginItem } from './login-item.ts'
import { bringForward, createMainWindow, putAway } from './main-window.ts'
import { menuTemplate } from './menu.ts'
import { isAllowedDownload } from './navigation-policy.ts'
import { openFile } from './open-file.ts'
import { linkScheme, type OpenTarget, pageOfLink, targetOf } from './open-target.ts'
import { answerPage } from './page-requests.ts'
import { allowOnlyCopying } from './permission-policy.ts'
import { showRecentRuns } from './recent-runs.ts'
import { relaunch } from './relaunch.ts'
import { listenToPower, mayQuit, type Running } from './running.ts'
import { showReleaseNotes } from './release-notes.ts'
import { runsWithoutSandbox, warnOfMissingSandbox } from './sandbox-warning.ts'
import { createKeychainSecretBox } from './secret-box.ts'
import { signInCookie } from './session-cookie.ts'
import { openSettings, type Settings } from './settings.ts'
import { showWork } from './show-work.ts'
import { startProcess } from './start-process.ts'
import type { DesktopService, StartService } from './start-service.ts'
import { createWorkTray } from './tray.ts'
import { checkForUpdates, updateHost } from './updates.ts'

export interface DesktopParts {
  readonly startService: StartService
  /** Whether what answers on the service's port is the service; the window's session is for it alone. */
  readonly isOurService: (file: { readonly base_url: string; readonly session_token: string }) => Promise<boolean>
  /** Folder of the built main process; the preload script, the pages and the resources lie beside it. */
  readonly mainDir: string
  /** Asked when a person checks for updates; empty where the build names none. */
  readonly updatesUrl: string
}

/** The same as `appId` of electron-builder.yml: Windows keeps pins and notifications of a program by it. */
export const appUserModelId = 'dev.assay.workstation'

/**
 * Starts the desktop app: one instance, its service, one window signed in to it. Everything after `ready` runs without being awaited
 * here, since Electron becomes ready only after its entry module has been evaluated.
 */
export function startDesktop(parts: DesktopParts): void {
  // Apart from the data folder, which on a Mac and on Windows would be the same; before the lock, which lies in it.
  app.setPath('userData', join(app.getPath('appData'), 'Assay Desktop'))
  if (process.platform === 'win32') app.setAppUserModelId(appUserModelId)
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  app.enableSandbox()
  const store = passwordStore(process.platform, process.env)
  if (store !== null && !app.commandLine.hasSwitch('password-store')) app.commandLine.appendSwitch('password-store', store)
  const running: Running = {
    service: null,
    window: null,
    origin: null,
    work: { runs: 0, share: null, paused: false },
    look: null,
    recent: [],
    pending: targetOf(process.argv.slice(1), process.cwd()),
    tray: null,
  }
  const settings = openSettings()
  const quitting = drainBeforeQuit(app, {
    mayQuit: () => mayQuit(running, settings),
    begin: () => {
      running.tray?.hide()
      if (running.window !== null) putAway(running.window)
    },
    close: () => closeService(running),
    relaunch,
    deadline: drainDeadline,
  })
  app.on('second-instance', (_event, args, folder) => {
    if (quitting.isDraining()) return quitting.openAgain(args.slice(1))
    come(running)
    take(running, targetOf(args.slice(1), folder))
  })
  // macOS: a link, a file, a click in the dock.
  app.on('open-url', (event, url) => {
    event.preventDefault()
    const path = pageOfLink(url)
    if (path !== null) take(running, { kind: 'page', path })
  })
  app.on('open-file', (event, path) => {
    event.preventDefault()
    take(running, { kind: 'file', path })
  })
  app.on('activate', () => come(running))
  // On a Mac too: a service that ran on without a window would be a port left open behind the user's back.
  app.on('window-all-closed', () => app.quit())
  app
    .whenReady()
    .then(() => open(parts, running, settings, quitting))
    .catch((error: unknown) => {
      console.error('Assay could not start.', error)
      app.exit(1)
    })
}

async function open(parts: DesktopParts, running: Running, settings: Settings, quitting: Quitting): Promise<void> {
  nativeTheme.themeSource = settings.theme()
  // The environment is for tests and for work on Assay itself; an installed app does not listen to it.
  let dataDir = settings.dataDir() ?? defaultDataDir(app.isPackaged ? { ...process.env, ASSAY_DATA_DIR: undefined } : process.env)
  try {
    const launch = parseLaunchOptions(process.argv.slice(app.isPackaged ? 1 : 2))
    dataDir = launch.dataDir ?? dataDir
    listenToPower(running, quitting)
    running.service = parts.startService(serviceConfig(parts, dataDir, launch.port), {
      kind: 'desktop',
      secrets: createKeychainSecretBox(safeStorage, process.platform),
      startProcess,
    })
    const service = await running.service
    service.failed
      .then(error => reportStartFailure(error, dataDir, settings, running.window))
      .catch((error: unknown) => console.error('The failure of the service could not be shown.', error))
    const origin = new URL(service.baseUrl).origin
    if (!(await parts.isOurService({ base_url: service.baseUrl, session_token: service.sessionToken })))
      throw new Error(`Another program answers at ${origin}. Close it, or start Assay with --port 0 to take any free one.`)
    if (quitting.isDraining()) return
    guardPages(origin, running)
    await session.defaultSession.cookies.set(signInCookie(origin, service.sessionToken))
    service.onRestart(ended => {
      signInAgain(service, origin, dataDir, ended, running).catch((error: unknown) =>
        console.error('The window could not be signed in.', error),
      )
    })
    await openWindow(parts, running, { service, dataDir, settings, quitting })
  } catch (error) {
    if (!quitting.isDraining()) await reportStartFailure(error, dataDir, settings, running.window)
  }
}

/** After a crash of the service: the page, which shows that it reconnects, is given the new session, and its user is told. */
async function signInAgain(service: DesktopService, origin: string, dataDir: string, ended: string, running: Running): Promise<void> {
  await session.defaultSession.cookies.set(signInCookie(origin, service.sessionToken))
  const { window } = running
  if (window === null || window.isDestroyed()) return
  await dialog.showMessageBox(window, {
    type: 'warning',
    message: 'The service stopped and was restarted',
    detail: `Runs continue where they were.\n\nTo report the problem: ${ended} Log: ${join(dataDir, 'logs', 'service.log')}`,
    buttons: ['OK'],
  })
}

function serviceConfig(parts: DesktopParts, dataDir: string, port: number | null): ServiceConfig {
  return {
    dataDir,
    port: port ?? defaultPort,
    portMayMove: port === null,
    rendererDir: join(parts.mainDir, '../renderer'),
    logLevel: 'info',
    proxies: environmentProxies(),
  }
}

/** Sets the limits of every page, before there is any. */
function guardPages(origin: string, running: Running): void {
  const offer = createExternalLinks({ confirm: question => confirm(running.window, question), open: href => shell.openExternal(href) })
  app.on('web-contents-created', (_event, contents) => {
    guardContents(contents, { origin, openExternally: address => void offer(address) })
  })
  allowOnlyCopying(session.defaultSession, origin)
  session.defaultSession.on('will-download', (event, item) => {
    if (!isAllowedDownload(item.getURL(), origin)) event.preventDefault()
  })
}

interface Opened {
  readonly service: DesktopService
  readonly dataDir: string
  readonly settings: Settings
  readonly quitting: Quitting
}

async function openWindow(parts: DesktopParts, running: Running, { service, dataDir, settings, quitting }: Opened): Promise<void> {
  const { origin } = new URL(service.baseUrl)
  const icons = join(parts.mainDir, '../../resources/icons')
  answerPage(() => (running.window === null ? null : { window: running.window, origin }))
  // The others take it from the program.
  const icon = process.platform === 'linux' ? join(icons, 'icon.png') : null
  const window = createMainWindow(join(parts.mainDir, '../preload/index.cjs'), settings, icon)
  running.window = window
  running.tray = createWorkTray(join(icons, process.platform === 'darwin' ? 'trayTemplate.png' : 'tray.png'), {
    open: () => come(running),
    quit: () => app.quit(),
  })
  window.on('close', event => {
    if (quitting.mayClose()) return
    // The window goes when the service has closed: what it asks until then is still answered.
    event.preventDefault()
    app.quit()
  })
  window.on('closed', () => {
    running.window = null
  })
  if (process.platform === 'win32') {
    window.on('query-session-end', () => quitting.endSoon())
    window.on('session-end', () => quitting.endNow())
  }
  watchCrashes(window, origin)
  offerContextMenu(window.webContents)

  const open = (path: string): void => take(running, { kind: 'page', path })
  const login = loginItem()
  const wakefulness = createWakefulness(() => settings.keepAwake())
  const setMenu = (): void => {
    const facts = {
      platform: process.platform,
      theme: settings.theme(),
      keepAwake: settings.keepAwake(),
      startsAtLogin: login.enabled(),
      closingRemembered: settings.closing() !== null,
      recent: running.recent,
      updateHost: updateHost(parts.updatesUrl),
      packaged: app.isPackaged,
    }
    // The menu outlives the window, and on a Mac it is still there while the service closes.
    const withWindow = (act: (shown: BrowserWindow) => void) => () => {
      if (running.window !== null && !quitting.isDraining()) act(running.window)
    }
    const template = menuTemplate(facts, {
      command: command =>
        withWindow(shown => {
          bringForward(shown)
          shown.webContents.send(commandChannel, command satisfies DesktopCommand)
        })(),
      openDataFolder: () => void shell.openPath(dataDir),
      changeDataFolder: withWindow(shown => void changeDataFolder(settings, shown)),
      setTheme: theme => {
        settings.setTheme(theme)
        nativeTheme.themeSource = theme
      },
      goBack: withWindow(shown => shown.webContents.navigationHistory.goBack()),
      goForward: withWindow(shown => shown.webContents.navigationHistory.goForward()),
      openApiReference: withWindow(shown => void load(shown, `${origin}/docs`)),
      openRun: id => withWindow(() => open(`/runs/${id}`))(),
      setKeepAwake: choice => {
        settings.setKeepAwake(choice)
        wakefulness.changed()
      },
      setLoginItem: login.set,
      askOnClosing: () => {
        settings.setClosing(null)
        setMenu()
      },
      checkForUpdates: withWindow(shown => void checkForUpdates(shown, parts.updatesUrl)),
    })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
  setMenu()
  running.look = showWork(window, createCaller(service), {
    work: work => {
      running.work = work
      wakefulness.working(work.paused ? 0 : work.runs)
      if (!window.isVisible()) running.tray?.show(work)
    },
    recent: runs => {
      running.recent = runs
      showRecentRuns(runs, open)
      setMenu()
    },
    open,
  })
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme)

  const first = running.pending?.kind === 'page' ? running.pending.path : '/'
  if (running.pending?.kind === 'page') running.pending = null
  await load(window, `${origin}${first}`)
  if (window.isDestroyed()) return
  running.origin = origin
  take(running, running.pending)
  await greet(parts, window, settings)
}

/** Loads a page. A window that was closed meanwhile, and a page that another one replaced, are not failures. */
async function load(window: BrowserWindow, address: string): Promise<void> {
  try {
    await window.loadURL(address)
  } catch (error) {
    const aborted = error instanceof Error && 'code' in error && error.code === 'ERR_ABORTED'
    if (!window.isDestroyed() && !aborted) throw error
  }
}

/** What the first page is followed by: that settings are not kept, or what an upgrade changed. */
async function greet(parts: DesktopParts, window: BrowserWindow, settings: Settings): Promise<void> {
  if (settings.problem !== null) {
    await dialog.showMessageBox(window, {
      type: 'warning',
      message: 'Couldn’t read the app’s settings',
      detail: `${settings.problem}\n\nDefaults are used, and changes last until you quit. Runs and results are not affected.`,
    })
    return
  }
  const version = app.getVersion()
  const before = settings.lastVersion()
  settings.setLastVersion(version)
  // Once for each version, not at each start.
  if (before !== version && runsWithoutSandbox()) await warnOfMissingSandbox(window)
  if (window.isDestroyed()) return
  await showReleaseNotes(window, join(parts.mainDir, '../../resources/CHANGELOG.md'), version, before)
}

/** Shows what was asked for, or keeps it until there is a page that can. */
function take(running: Running, target: OpenTarget | null): void {
  running.pending = target
  const { window, origin } = running
  if (target === null || window === null || origin === null) return
  running.pending = null
  const show = (path: string): void => window.webContents.send(openChannel, path)
  if (target.kind === 'page') return show(target.path)
  running.service
    ?.then(service => openFile(target.path, { window, service, open: show }))
    .catch((error: unknown) => console.error(`${target.path} could not be opened.`, error))
}

/** Brings the window forward, from the tray too. */
function come(running: Running): void {
  if (running.window === null) return
  running.tray?.hide()
  bringForward(running.window)
}

async function confirm(window: BrowserWindow | null, question: { readonly message: string; readonly detail: string }): Promise<boolean> {
  if (window === null) return false
  const buttons = ['Cancel', 'Open']
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    ...question,
    buttons,
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return response === 1
}

async function closeService(running: Running): Promise<void> {
  // A service that failed to start has told the user so and holds nothing.
  const service = await running.service?.catch(() => null)
  await service?.close()
}
