import { strict, strictClass, strictModule } from './electron/strict.ts'
import * as fake from './fake-electron.ts'
import { UtilityProcess } from '../../support/utility-process.ts'

/** The `electron` module as the shell is given it in tests: every call is held to Electron's typings. */
export const app = strict(fake.app)
export const ipcMain = strict(fake.ipcMain)
export const ipcRenderer = strict(fake.ipcRenderer)
export const nativeTheme = strict(fake.nativeTheme)
export const screen = strict(fake.screen)
export const powerMonitor = strict(fake.powerMonitor)
export const session = strictModule(fake.session, 'Session', true)
export const dialog = strictModule(fake.dialog, 'Dialog')
export const shell = strictModule(fake.shell, 'Shell')
export const safeStorage = strictModule(fake.safeStorage, 'SafeStorage')
export const contextBridge = strictModule(fake.contextBridge, 'ContextBridge')
export const webUtils = strictModule(fake.webUtils, 'WebUtils')
export const powerSaveBlocker = strictModule(fake.powerSaveBlocker, 'PowerSaveBlocker')
export const net = strictModule(fake.net, 'Net')
export const clipboard = strictModule(fake.clipboard, 'Clipboard')
export const BrowserWindow = strictClass(fake.BrowserWindow, 'BrowserWindow')
export const Notification = strictClass(fake.Notification, 'Notification')
export const Tray = strictClass(fake.Tray, 'Tray')
export const Menu = strictClass(fake.MenuStandIn, 'Menu')
export const utilityProcess = strictModule({ fork: UtilityProcess.fork }, 'UtilityProcess', true)

// electron-store takes the module's default export.
export default { app, ipcMain, ipcRenderer, shell }
