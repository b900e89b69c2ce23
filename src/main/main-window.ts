import { BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import type { Settings } from './settings.ts'
import { windowOptions } from './window-options.ts'
import { visibleState } from './window-state.ts'

/** Makes the window where it was last. It shows itself once its page is painted. */
export function createMainWindow(preloadFile: string, settings: Settings): BrowserWindow {
  const screens = screen.getAllDisplays().map(display => display.workArea)
  const state = visibleState(settings.windowState(), screens)
  const window = new BrowserWindow(windowOptions(preloadFile, state, nativeTheme.shouldUseDarkColors))
  window.once('ready-to-show', () => {
    if (state.maximized) window.maximize()
    window.show()
  })
  window.on('close', () => settings.setWindowState({ bounds: window.getNormalBounds(), maximized: window.isMaximized() }))
  window.webContents.on('render-process-gone', (_event, details) => {
    // A page that left on purpose, as it does when the window closes, needs no word.
    if (details.reason !== 'clean-exit') void offerReload(window, details.reason)
  })
  return window
}

async function offerReload(window: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window stopped working',
    detail: `Its process ended (${reason}). Runs continue in the background and no data is lost.`,
    buttons: ['Reload', 'Quit'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response === 0) window.webContents.reload()
  else window.close()
}
