import { EventEmitter, once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Handler = (...args: never[]) => unknown

export { UtilityProcess as utilityProcess } from '../../support/utility-process.ts'

/** A stand-in for the `electron` module that writes down what the shell asks of it. It opens nothing and draws nothing. */
export const recorded = {
  /** Order of the calls that have one. */
  calls: [] as string[],
  windows: [] as BrowserWindow[],
  cookies: [] as object[],
  opened: [] as string[],
  dialogs: [] as { kind: string; options: Record<string, unknown> }[],
  menus: [] as unknown[],
  relaunches: [] as unknown[],
  exits: [] as number[],
  titles: [] as string[],
  progress: [] as number[],
  notifications: [] as Notification[],
}

/** What the next dialogs answer, and whether this is the first instance. */
export const answers = {
  messageBox: 0,
  saveDialog: { canceled: true, filePath: '' },
  openDialog: { canceled: true, filePaths: [] as string[] },
  firstInstance: true,
  focused: false,
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

export class WebContents extends EventEmitter {
  readonly owner: BrowserWindow
  readonly mainFrame = { parent: null, origin: 'null' }
  readonly sent: unknown[][] = []
  readonly visited: string[] = []
  readonly navigationHistory = { goBack: () => this.visited.push('back'), goForward: () => this.visited.push('forward') }
  openHandler: (details: { url: string }) => { action: string } = () => ({ action: 'allow' })

  constructor(owner: BrowserWindow) {
    super()
    this.owner = owner
    app.emit('web-contents-created', {}, this)
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.openHandler = handler
  }
  send(...message: unknown[]): void {
    this.sent.push(message)
  }
  async loadURL(url: string): Promise<void> {
    this.visited.push(url)
    this.mainFrame.origin = new URL(url).origin
    signals.emit('loaded', this.owner)
  }
  async printToPDF(): Promise<Uint8Array> {
    recorded.calls.push('printToPDF')
    return Buffer.from('%PDF-fake')
  }
  reload(): void {
    this.visited.push('reload')
  }
}

export class BrowserWindow extends EventEmitter {
  readonly options: Record<string, unknown>
  readonly webContents: WebContents
  shown = false
  destroyed = false

  constructor(options: Record<string, unknown>) {
    super()
    this.options = options
    this.webContents = new WebContents(this)
    recorded.windows.push(this)
  }
  async loadURL(url: string): Promise<void> {
    await this.webContents.loadURL(url)
  }
  show(): void {
    this.shown = true
  }
  hide(): void {
    this.shown = false
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
    return true
  }
  restore(): void {
    recorded.calls.push('restore')
  }
  isMaximized(): boolean {
    return false
  }
  getNormalBounds(): object {
    return { x: 10, y: 20, width: 1000, height: 700 }
  }
  close(): void {
    this.emit('close')
    this.destroy()
    app.emit('window-all-closed')
  }
  destroy(): void {
    this.destroyed = true
    this.emit('closed')
  }
}

export class Notification extends EventEmitter {
  static isSupported(): boolean {
    return true
  }
  readonly options: { readonly title: string; readonly body: string }
  constructor(options: { readonly title: string; readonly body: string }) {
    super()
    this.options = options
  }
  show(): void {
    recorded.notifications.push(this)
  }
}

class App extends EventEmitter {
  isPackaged = false
  getPath(name: string): string {
    return paths.get(name) ?? join(tmpdir(), 'assay-fake-electron', name)
  }
  setPath(name: string, path: string): void {
    recorded.calls.push(`setPath ${name}`)
    paths.set(name, path)
  }
  getVersion(): string {
    return '0.0.0'
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
  }
  relaunch(options: unknown): void {
    recorded.relaunches.push(options)
  }
  quit(): void {
    let prevented = false
    const event = { preventDefault: () => (prevented = true) }
    this.emit('before-quit', event)
    if (!prevented) this.emit('quit')
  }
  exit(code: number): void {
    recorded.exits.push(code)
    this.emit('quit')
  }
}

class Session extends EventEmitter {
  requestHandler: Handler | null = null
  checkHandler: Handler | null = null
  deviceHandler: Handler | null = null
  requestFilter: ((request: { url: string }, answer: (verdict: { cancel: boolean }) => void) => void) | null = null
  readonly schemes = new Map<string, (request: { url: string }) => Response>()
  readonly cookies = {
    set: async (cookie: object) => {
      recorded.cookies.push(cookie)
    },
  }
  readonly webRequest = {
    onBeforeRequest: (filter: Session['requestFilter']) => {
      this.requestFilter = filter
    },
  }
  readonly protocol = {
    handle: (scheme: string, handler: (request: { url: string }) => Response) => {
      this.schemes.set(scheme, handler)
    },
  }
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
export const session = { defaultSession: new Session(), partitions: new Map<string, Session>(), fromPartition }

function fromPartition(name: string): Session {
  const made = session.partitions.get(name) ?? new Session()
  session.partitions.set(name, made)
  return made
}

class IpcMain extends EventEmitter {
  readonly handlers = handlers
  handle(channel: string, handler: Handler): void {
    handlers.set(channel, handler)
  }
}
export const ipcMain = new IpcMain()

export const dialog = {
  async showMessageBox(...args: Record<string, unknown>[]) {
    return ask('message', args, { response: answers.messageBox })
  },
  async showSaveDialog(...args: Record<string, unknown>[]) {
    return ask('save', args, answers.saveDialog)
  },
  async showOpenDialog(...args: Record<string, unknown>[]) {
    return ask('open', args, answers.openDialog)
  },
}

function ask<Answer>(kind: string, args: Record<string, unknown>[], answer: Answer): Answer {
  const asked = { kind, options: args.at(-1) ?? {} }
  recorded.dialogs.push(asked)
  signals.emit('dialog', asked)
  return answer
}

export const nativeTheme = { themeSource: 'system', shouldUseDarkColors: false }
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] }
export const shell = {
  openExternal: async (url: string) => {
    recorded.opened.push(url)
  },
  openPath: async (path: string) => {
    recorded.opened.push(path)
    return ''
  },
}
export const Menu = {
  buildFromTemplate: (template: unknown) => template,
  setApplicationMenu: (menu: unknown) => {
    recorded.menus.push(menu)
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
export const contextBridge = { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) }
export const invoked: unknown[][] = []
class IpcRenderer extends EventEmitter {
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
    invoked,
  ])
    list.length = 0
  Object.assign(answers, {
    messageBox: 0,
    saveDialog: { canceled: true, filePath: '' },
    openDialog: { canceled: true, filePaths: [] },
    firstInstance: true,
    focused: false,
  })
  for (const emitter of [app, ipcMain, ipcRenderer, signals]) emitter.removeAllListeners()
  handlers.clear()
  exposed.clear()
  paths.clear()
  paths.set('appData', appData).set('downloads', appData)
  app.isPackaged = false
  session.defaultSession = new Session()
  session.partitions.clear()
  nativeTheme.themeSource = 'system'
}

// electron-store takes the module's default export.
export default { app, ipcMain, ipcRenderer, shell }
