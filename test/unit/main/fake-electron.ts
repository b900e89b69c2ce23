import { EventEmitter, once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { played, Raw, raw, strict, strictModule } from './electron/strict.ts'

export { played, raw, strict }

type Handler = (...args: never[]) => unknown

/** An object that is part of another, held to the typings of its type. */
function strictly<Part extends object>(type: string, part: Part): Part {
  return strictModule(part, type)
}

/**
 * A stand-in for Electron that writes down what the shell asks of it. It opens nothing and draws nothing. Tests use these objects as they
 * are; the shell is given `strict-electron.ts`, which holds every call of it to Electron's typings. Events come in the order of Electron's
 * sources (`browser.cc`, `electron_api_base_window.cc`, `web-contents.ts` of version 45).
 */
export const recorded = {
  /** Order of the calls that have one. */
  calls: [] as string[],
  windows: [] as BrowserWindow[],
  cookies: [] as object[],
  opened: [] as string[],
  dialogs: [] as { kind: string; options: Record<string, unknown>; parent: BrowserWindow | null }[],
  menus: [] as unknown[],
  relaunches: [] as unknown[],
  exits: [] as number[],
  titles: [] as string[],
  progress: [] as number[],
  notifications: [] as Notification[],
  trays: [] as Tray[],
  popups: [] as MenuStandIn[],
  switches: [] as string[][],
  jumpLists: [] as unknown[],
  dockMenus: [] as unknown[],
  loginItems: [] as object[],
  protocols: [] as string[],
  /** Of power save blockers that run. */
  blockers: new Map<number, string>(),
  finds: [] as unknown[][],
}

/** What the next dialogs answer, and whether this is the first instance. */
export const answers = {
  messageBox: 0,
  saveDialog: { canceled: true, filePath: '' },
  openDialog: { canceled: true, filePaths: [] as string[] },
  firstInstance: true,
  focused: false,
  minimized: true,
  fullScreen: false,
  /** A page stays in loading until `finishLoading` or until its window is destroyed. */
  holdLoading: false,
  onBattery: false,
  checkbox: false,
  displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
  fetched: null as Response | null,
  version: '0.0.0',
}

/** An event as Electron gives it to listeners. */
export function event<More extends object>(more?: More) {
  const made = {
    defaultPrevented: false,
    preventDefault() {
      made.defaultPrevented = true
    },
    ...more,
  }
  return made
}

const paths = new Map<string, string>()
const handlers = new Map<string, Handler>()
/** Emits `loaded` when a window is given its address and `dialog` when the user is asked something. */
export const signals = new EventEmitter()

/** The window, once it has been told where to go. */
export async function windowLoaded(): Promise<BrowserWindow> {
  const [window]: BrowserWindow[] = await once(signals, 'loaded')
  if (window === undefined) throw new Error('No window was loaded.')
  return window
}

export class WebContents extends Raw {
  readonly owner: BrowserWindow
  readonly mainFrame = { parent: null, origin: 'null' }
  readonly sent: unknown[][] = []
  readonly visited: string[] = []
  readonly navigationHistory = strictly('NavigationHistory', {
    goBack: () => void this.visited.push('back'),
    goForward: () => void this.visited.push('forward'),
  })
  zoomLevel = 0
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })
  #settle: (() => void) | null = null

  constructor(owner: BrowserWindow) {
    super('WebContents')
    this.owner = owner
    app.emit('web-contents-created', event(), this)
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  send(...message: unknown[]): void {
    this.sent.push(message)
  }
  getURL(): string {
    return this.visited.findLast(url => url.includes(':')) ?? ''
  }
  async loadURL(url: string): Promise<void> {
    this.visited.push(url)
    const { origin } = new URL(url)
    const loading = Promise.withResolvers<void>()
    this.#settle = () => {
      this.#settle = null
      // As Electron: a page that is destroyed in loading fails with the general error.
      if (this.destroyed) loading.reject(Object.assign(new Error(`ERR_FAILED (-2) loading '${url}'`), { code: 'ERR_FAILED', errno: -2 }))
      else {
        this.mainFrame.origin = origin
        this.emit('did-finish-load')
        loading.resolve()
      }
    }
    signals.emit('loaded', this.owner)
    if (!answers.holdLoading) this.#settle()
    return loading.promise
  }
  finishLoading(): void {
    this.#settle?.()
  }
  async printToPDF(): Promise<Uint8Array> {
    recorded.calls.push('printToPDF')
    return Buffer.from('%PDF-fake')
  }
  reload(): void {
    this.visited.push('reload')
  }
  getZoomLevel(): number {
    return this.zoomLevel
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level
  }
  findInPage(...args: unknown[]): number {
    recorded.finds.push(args)
    return recorded.finds.length
  }
  stopFindInPage(action: string): void {
    recorded.finds.push([action])
  }
  copyImageAt(): void {
    recorded.calls.push('copyImageAt')
  }
  forcefullyCrashRenderer(): void {
    recorded.calls.push('forcefullyCrashRenderer')
  }
}

export class BrowserWindow extends Raw {
  readonly options: Record<string, unknown>
  readonly webContents: WebContents
  shown = false

  constructor(options: Record<string, unknown>) {
    super('BrowserWindow')
    if (!app.ready) throw new Error('Cannot create BrowserWindow before app is ready')
    this.options = options
    this.webContents = new WebContents(this)
    recorded.windows.push(this)
  }
  async loadURL(url: string): Promise<void> {
    return this.webContents.loadURL(url)
  }
  show(): void {
    this.shown = true
    this.emit('show')
  }
  hide(): void {
    this.shown = false
    recorded.calls.push('hide')
    this.emit('hide')
  }
  isVisible(): boolean {
    return this.shown
  }
  focus(): void {
    recorded.calls.push('focus')
  }
  isFocused(): boolean {
    return answers.focused
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  isFullScreen(): boolean {
    return answers.fullScreen
  }
  setFullScreen(full: boolean): void {
    answers.fullScreen = full
    recorded.calls.push(`setFullScreen ${full}`)
    setImmediate(() => this.emit(full ? 'enter-full-screen' : 'leave-full-screen'))
  }
  setTitle(title: string): void {
    recorded.titles.push(title)
  }
  setProgressBar(share: number): void {
    recorded.progress.push(share)
  }
  maximize(): void {
    recorded.calls.push('maximize')
  }
  isMinimized(): boolean {
    return answers.minimized
  }
  restore(): void {
    recorded.calls.push('restore')
  }
  isMaximized(): boolean {
    return false
  }
  getBounds(): object {
    return this.getNormalBounds()
  }
  setBounds(bounds: object): void {
    Object.assign(this.options, bounds)
  }
  getNormalBounds(): object {
    const { x = 10, y = 20, width = 1000, height = 700 } = this.options
    return { x, y, width, height }
  }
  close(): void {
    const closing = event()
    this.emit('close', closing)
    if (closing.defaultPrevented) app.quitting = false
    else this.destroy()
  }
  destroy(): void {
    if (this.destroyed) return
    this.destroyed = true
    this.webContents.destroyed = true
    this.webContents.emit('destroyed')
    this.webContents.finishLoading()
    this.emit('closed')
    app.windowGone()
  }
}

export class Notification extends Raw {
  static isSupported(): boolean {
    return true
  }
  readonly options: { readonly title: string; readonly body: string }
  constructor(options: { readonly title: string; readonly body: string }) {
    super('Notification')
    this.options = options
  }
  show(): void {
    recorded.notifications.push(this)
  }
}

export class Tray extends Raw {
  toolTip = ''
  menu: MenuStandIn | null = null
  readonly image: string
  constructor(image: string) {
    super('Tray')
    this.image = image
    recorded.trays.push(this)
  }
  setToolTip(text: string): void {
    this.toolTip = text
  }
  setContextMenu(menu: MenuStandIn | null): void {
    this.menu = menu
  }
  isDestroyed(): boolean {
    return this.destroyed
  }
  destroy(): void {
    this.destroyed = true
  }
}

export interface Item {
  readonly label?: string
  readonly role?: string
  readonly type?: string
  readonly enabled?: boolean
  readonly checked?: boolean
  readonly submenu?: readonly Item[]
  readonly click?: (...args: never[]) => unknown
}

/** What `Menu.buildFromTemplate` makes; its items are those of the template. */
export class MenuStandIn extends Raw {
  readonly template: readonly Item[]
  constructor(template: readonly Item[]) {
    super('Menu')
    this.template = template
  }
  static buildFromTemplate(template: readonly Item[]): MenuStandIn {
    return new MenuStandIn(template)
  }
  static setApplicationMenu(menu: MenuStandIn | null): void {
    recorded.menus.push(menu)
  }
  popup(): void {
    recorded.popups.push(this)
  }
  /** Chooses an item at any depth as a person would. */
  choose(label: string, items: readonly Item[] = this.template): void {
    const walk = (list: readonly Item[]): Item[] => list.flatMap(one => [one, ...walk(one.submenu ?? [])])
    const item = walk(items).find(one => one.label === label)
    if (item?.click === undefined) throw new Error(`There is no item "${label}" to choose.`)
    Reflect.apply(item.click, undefined, [item, undefined, {}])
  }
}

class App extends Raw {
  isPackaged = false
  ready = true
  quitting = false
  exiting = false
  constructor() {
    super('App')
  }
  readonly commandLine = strictly('CommandLine', {
    appendSwitch: (...words: string[]) => void recorded.switches.push(words),
    hasSwitch: (name: string) => recorded.switches.some(([known]) => known === name),
  })
  readonly dock = strictly('Dock', {
    setMenu: (menu: unknown) => void recorded.dockMenus.push(raw(menu)),
  })
  getPath(name: string): string {
    return paths.get(name) ?? join(tmpdir(), 'assay-fake-electron', name)
  }
  setPath(name: string, path: string): void {
    recorded.calls.push(`setPath ${name}`)
    paths.set(name, path)
  }
  getVersion(): string {
    return answers.version
  }
  getAppPath(): string {
    return paths.get('app') ?? tmpdir()
  }
  setAppUserModelId(id: string): void {
    recorded.calls.push(`setAppUserModelId ${id}`)
  }
  setAsDefaultProtocolClient(protocol: string): boolean {
    recorded.protocols.push(protocol)
    return true
  }
  setJumpList(categories: unknown): string {
    recorded.jumpLists.push(categories)
    return 'ok'
  }
  setLoginItemSettings(settings: object): void {
    recorded.loginItems.push(settings)
  }
  getLoginItemSettings(): object {
    return { openAtLogin: false, ...recorded.loginItems.at(-1) }
  }
  requestSingleInstanceLock(): boolean {
    recorded.calls.push('requestSingleInstanceLock')
    return answers.firstInstance
  }
  enableSandbox(): void {
    recorded.calls.push('enableSandbox')
  }
  async whenReady(): Promise<void> {
    recorded.calls.push('whenReady')
    await Promise.resolve()
    this.ready = true
  }
  relaunch(options?: unknown): void {
    recorded.relaunches.push(options)
  }
  /** `Browser::Quit`: asks, then closes every window, and ends after the last. A prevented close takes it back. */
  quit(): void {
    if (this.quitting) return
    const asked = event()
    this.emit('before-quit', asked)
    this.quitting = !asked.defaultPrevented
    if (!this.quitting) return
    const open = recorded.windows.filter(window => !window.destroyed)
    if (open.length === 0) this.finish()
    else for (const window of open) window.close()
  }
  /** `Browser::OnWindowAllClosed`: told to the app only where it is not ending anyway. */
  windowGone(): void {
    if (recorded.windows.some(window => !window.destroyed)) return
    if (this.exiting) this.emit('quit', event(), recorded.exits.at(-1) ?? 0)
    else if (this.quitting) this.finish()
    else this.emit('window-all-closed')
  }
  finish(): void {
    this.emit('will-quit', event())
    this.emit('quit', event(), 0)
  }
  /** `Browser::ExitWithCode`: destroys the windows without asking. */
  exit(code = 0): void {
    recorded.exits.push(code)
    this.exiting = true
    const open = recorded.windows.filter(window => !window.destroyed)
    for (const window of open) window.destroy()
    if (open.length === 0) this.emit('quit', event(), code)
  }
}

class Session extends Raw {
  constructor() {
    super('Session')
  }
  requestHandler: Handler | null = null
  checkHandler: Handler | null = null
  deviceHandler: Handler | null = null
  requestFilter: ((request: { url: string }, answer: (verdict: { cancel: boolean }) => void) => void) | null = null
  readonly schemes = new Map<string, (request: { url: string }) => Response>()
  readonly cookies = strictly('Cookies', {
    set: async (cookie: object) => {
      recorded.cookies.push(cookie)
    },
  })
  readonly webRequest = strictly('WebRequest', {
    onBeforeRequest: (filter: Session['requestFilter']) => {
      this.requestFilter = filter
    },
  })
  readonly protocol = strictly('Protocol', {
    handle: (scheme: string, handler: (request: { url: string }) => Response) => {
      this.schemes.set(scheme, handler)
    },
  })
  setPermissionRequestHandler(handler: Handler): void {
    this.requestHandler = handler
  }
  setPermissionCheckHandler(handler: Handler): void {
    this.checkHandler = handler
  }
  setDevicePermissionHandler(handler: Handler): void {
    this.deviceHandler = handler
  }
}

export const app = new App()
export const session = {
  current: new Session(),
  partitions: new Map<string, Session>(),
  fromPartition,
  get defaultSession(): Session {
    if (!app.ready) throw new Error('Session can only be received when app is ready')
    return session.current
  },
}

function fromPartition(name: string): Session {
  const made = session.partitions.get(name) ?? new Session()
  session.partitions.set(name, made)
  return made
}

class IpcMain extends Raw {
  constructor() {
    super('IpcMain')
  }
  readonly handlers = handlers
  handle(channel: string, handler: Handler): void {
    handlers.set(channel, handler)
  }
}
export const ipcMain = new IpcMain()

export const dialog = {
  async showMessageBox(...args: Record<string, unknown>[]) {
    return ask('message', args, { response: answers.messageBox, checkboxChecked: answers.checkbox })
  },
  async showSaveDialog(...args: Record<string, unknown>[]) {
    return ask('save', args, answers.saveDialog)
  },
  async showOpenDialog(...args: Record<string, unknown>[]) {
    return ask('open', args, answers.openDialog)
  },
}

function ask<Answer>(kind: string, args: Record<string, unknown>[], answer: Answer): Answer {
  const [parent] = args
  const asked = { kind, options: args.at(-1) ?? {}, parent: parent instanceof BrowserWindow ? parent : null }
  recorded.dialogs.push(asked)
  signals.emit('dialog', asked)
  return answer
}

class NativeTheme extends Raw {
  themeSource = 'system'
  shouldUseDarkColors = false
  constructor() {
    super('NativeTheme')
  }
}
export const nativeTheme = new NativeTheme()

class Screen extends Raw {
  constructor() {
    super('Screen')
  }
  getAllDisplays = () => answers.displays
  getPrimaryDisplay = () => answers.displays[0]
}
export const screen = new Screen()

class PowerMonitor extends Raw {
  constructor() {
    super('PowerMonitor')
  }
  isOnBatteryPower = () => answers.onBattery
}
export const powerMonitor = new PowerMonitor()

let lastBlocker = 0
export const powerSaveBlocker = {
  start: (kind: string) => {
    lastBlocker += 1
    recorded.blockers.set(lastBlocker, kind)
    return lastBlocker
  },
  stop: (id: number) => recorded.blockers.delete(id),
  isStarted: (id: number) => recorded.blockers.has(id),
}
export const net = {
  fetch: async (url: string) => {
    recorded.opened.push(url)
    return answers.fetched ?? Response.error()
  },
}
export const clipboard = {
  writeText: (text: string) => void recorded.calls.push(`writeText ${text}`),
}
export const shell = {
  openExternal: async (url: string) => {
    recorded.opened.push(url)
  },
  openPath: async (path: string) => {
    recorded.opened.push(path)
    return ''
  },
}
export const safeStorage = {
  isAsyncEncryptionAvailable: async () => true,
  getSelectedStorageBackend: () => 'gnome_libsecret',
  encryptStringAsync: async (text: string) => Buffer.from(`v11${text}`),
  decryptStringAsync: async (cipher: Buffer) => ({ shouldReEncrypt: false, result: cipher.toString().slice(3) }),
}

/** The two of the preload script's side. */
export const exposed = new Map<string, unknown>()
export const webUtils = { getPathForFile: (file: File) => `/dropped/${file.name}` }
export const contextBridge = { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) }
export const invoked: unknown[][] = []
class IpcRenderer extends Raw {
  constructor() {
    super('IpcRenderer')
  }
  async invoke(...message: unknown[]): Promise<unknown> {
    invoked.push(message)
    return { outcome: 'cancelled' }
  }
}
export const ipcRenderer = new IpcRenderer()

/** Forgets everything, and gives the profile a folder of its own. */
export function resetElectron(appData: string): void {
  for (const list of [
    recorded.calls,
    recorded.windows,
    recorded.cookies,
    recorded.opened,
    recorded.dialogs,
    recorded.menus,
    recorded.relaunches,
    recorded.exits,
    recorded.titles,
    recorded.progress,
    recorded.notifications,
    recorded.trays,
    recorded.popups,
    recorded.switches,
    recorded.jumpLists,
    recorded.dockMenus,
    recorded.loginItems,
    recorded.protocols,
    recorded.finds,
    invoked,
  ])
    list.length = 0
  Object.assign(answers, {
    messageBox: 0,
    saveDialog: { canceled: true, filePath: '' },
    openDialog: { canceled: true, filePaths: [] },
    firstInstance: true,
    focused: false,
    minimized: true,
    fullScreen: false,
    holdLoading: false,
    onBattery: false,
    checkbox: false,
    displays: [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }],
    fetched: null,
    version: '0.0.0',
  })
  recorded.blockers.clear()
  for (const emitter of [app, ipcMain, ipcRenderer, powerMonitor, screen, nativeTheme, signals]) emitter.removeAllListeners()
  handlers.clear()
  exposed.clear()
  paths.clear()
  paths.set('appData', appData).set('downloads', appData)
  app.isPackaged = false
  app.ready = true
  app.quitting = false
  app.exiting = false
  played.platform = process.platform
  session.current = new Session()
  session.partitions.clear()
  nativeTheme.themeSource = 'system'
}
