import { join } from 'node:path'
import { app, type BrowserWindow, dialog, Menu, nativeTheme, safeStorage, session, shell } from 'electron'
import { defaultDataDir } from '../headless/config.ts'
import { keepHeapSmall } from '../headless/frugal-process.ts'
import { environmentProxies } from '../headless/environment-proxies.ts'
import { defaultPort, type Service, type ServiceConfig } from '../service/config.ts'
import type { Host } from '../service/host.ts'
import { commandChannel } from './channels.ts'
import { changeDataFolder, reportStartFailure } from './data-folder.ts'
import { drainBeforeQuit, drainDeadline } from './drain-before-quit.ts'
import { createExternalLinks } from './external-links.ts'
import { guardContents } from './guard-contents.ts'
import { parseLaunchOptions } from './launch-options.ts'
import { createMainWindow } from './main-window.ts'
import { menuTemplate } from './menu.ts'
import { isAllowedDownload } from './navigation-policy.ts'
import { answerPage } from './page-requests.ts'
import { allowOnlyCopying } from './permission-policy.ts'
import { createKeychainSecretBox } from './secret-box.ts'
import { showWork } from './show-work.ts'
import { signInCookie } from './session-cookie.ts'
import { openSettings, type Settings } from './settings.ts'
import { startProcess } from './start-process.ts'

export interface DesktopParts {
  readonly createService: (config: ServiceConfig, host: Host) => Promise<Service>
  /** Whether what answers on the service's port is the service; the window's session is for it alone. */
  readonly isOurService: (file: { readonly base_url: string; readonly session_token: string }) => Promise<boolean>
  /** Folder of the built main process; the preload script and the pages lie beside it. */
  readonly mainDir: string
}

/** What runs now. Each is null until it exists; the window again once it is closed. */
interface Running {
  service: Promise<Service> | null
  window: BrowserWindow | null
}

/**
 * Starts the desktop app: one instance, the service in this process, one window signed in to it. Everything after `ready` runs
 * without being awaited here, since Electron becomes ready only after its entry module has been evaluated.
 */
export function startDesktop(parts: DesktopParts): void {
  // Apart from the data folder, which on a Mac and on Windows would be the same; before the lock, which lies in it.
  app.setPath('userData', join(app.getPath('appData'), 'Assay Desktop'))
  if (!app.requestSingleInstanceLock()) {
    app.quit()
    return
  }
  app.enableSandbox()
  const running: Running = { service: null, window: null }
  app.on('second-instance', () => focus(running.window))
  // On a Mac too: a service that went on without a window would be a port left open behind the user's back.
  app.on('window-all-closed', () => app.quit())
  drainBeforeQuit(app, { begin: () => running.window?.hide(), close: () => closeService(running), deadline: drainDeadline })
  void app.whenReady().then(() => open(parts, running))
}

async function open(parts: DesktopParts, running: Running): Promise<void> {
  const settings = openSettings()
  nativeTheme.themeSource = settings.theme()
  // The environment is for tests and for work on Assay itself; an installed app does not listen to it.
  let dataDir = settings.dataDir() ?? defaultDataDir(app.isPackaged ? { ...process.env, ASSAY_DATA_DIR: undefined } : process.env)
  try {
    const launch = parseLaunchOptions(process.argv.slice(app.isPackaged ? 1 : 2))
    dataDir = launch.dataDir ?? dataDir
    // What can be said once the process runs; Electron's own switch would bind the page as well.
    keepHeapSmall()
    running.service = parts.createService(serviceConfig(parts, dataDir, launch.port), {
      kind: 'desktop',
      secrets: createKeychainSecretBox(safeStorage, process.platform),
      startProcess,
    })
    const service = await running.service
    void service.failed.then(error => reportStartFailure(error, dataDir, settings))
    const origin = new URL(service.baseUrl).origin
    if (!(await parts.isOurService({ base_url: service.baseUrl, session_token: service.sessionToken })))
      throw new Error(`Another program answers at ${origin}. Close it, or start Assay with --port 0 to take any free one.`)
    guardPages(origin, running)
    await session.defaultSession.cookies.set(signInCookie(origin, service.sessionToken))
    await openWindow(parts, running, service, dataDir, settings)
  } catch (error) {
    await reportStartFailure(error, dataDir, settings)
  }
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

async function openWindow(parts: DesktopParts, running: Running, service: Service, dataDir: string, settings: Settings): Promise<void> {
  const { origin } = new URL(service.baseUrl)
  answerPage(() => (running.window === null ? null : { contents: running.window.webContents, origin }))
  const window = createMainWindow(join(parts.mainDir, '../preload/index.cjs'), settings)
  running.window = window
  window.on('closed', () => {
    running.window = null
  })
  const template = menuTemplate(
    { platform: process.platform, theme: settings.theme(), packaged: app.isPackaged },
    {
      command: command => window.webContents.send(commandChannel, command),
      openDataFolder: () => void shell.openPath(dataDir),
      changeDataFolder: () => void changeDataFolder(settings),
      setTheme: theme => {
        settings.setTheme(theme)
        nativeTheme.themeSource = theme
      },
      goBack: () => window.webContents.navigationHistory.goBack(),
      goForward: () => window.webContents.navigationHistory.goForward(),
      openApiReference: () => void window.loadURL(`${origin}/docs`),
    },
  )
  Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  showWork(window, service)
  await window.loadURL(`${origin}/`)
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

function focus(window: BrowserWindow | null): void {
  if (window === null) return
  if (window.isMinimized()) window.restore()
  window.focus()
}

async function closeService(running: Running): Promise<void> {
  // A service that failed to start has told the user so and holds nothing.
  const service = await running.service?.catch(() => null)
  await service?.close()
}
