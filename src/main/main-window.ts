import { BrowserWindow, nativeTheme, screen } from 'electron'
import type { Settings } from './settings.ts'
import { windowOptions } from './window-options.ts'
import { movedOnto, type Rectangle, visibleState } from './window-state.ts'

/** Makes the window where it was last. It shows itself once its page is painted. */
export function createMainWindow(preloadFile: string, settings: Settings, icon: string | null): BrowserWindow {
  const screens = workAreas()
  const state = visibleState(settings.windowState(), screens)
  const window = new BrowserWindow(windowOptions({ preloadFile, state, dark: nativeTheme.shouldUseDarkColors, screens, icon }))
  window.once('ready-to-show', () => {
    if (state.maximized) window.maximize()
    window.show()
  })
  window.on('close', () => {
    settings.setWindowState({ bounds: window.getNormalBounds(), maximized: window.isMaximized() })
    settings.setZoomLevel(window.webContents.getZoomLevel())
  })
  // Chromium keeps a level for each host, which is set once there is a page of it.
  window.webContents.once('did-finish-load', () => window.webContents.setZoomLevel(settings.zoomLevel()))
  keepOnScreens(window)
  return window
}

/** The primary screen's first: a window whose screen has gone goes there. */
function workAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay().workArea
  const all = screen.getAllDisplays().map(({ workArea }) => workArea)
  return [primary, ...all.filter(({ x, y }) => x !== primary.x || y !== primary.y)]
}

/** Moves the window to a screen that is there when its own is unplugged, scaled or made smaller. */
function keepOnScreens(window: BrowserWindow): void {
  const look = (): void => {
    if (window.isDestroyed() || window.isMaximized() || window.isFullScreen()) return
    const moved = movedOnto(window.getBounds(), workAreas())
    if (moved !== null) window.setBounds(moved)
  }
  screen.on('display-removed', look)
  screen.on('display-metrics-changed', look)
  window.on('closed', () => {
    screen.off('display-removed', look)
    screen.off('display-metrics-changed', look)
  })
}

/** Brings the window before its user, wherever it was. */
export function bringForward(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore()
  if (!window.isVisible()) window.show()
  window.focus()
}

/** Takes the window away. A window that is hidden in full screen would leave a black Space behind (macOS). */
export function putAway(window: BrowserWindow): void {
  if (!window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => {
    if (!window.isDestroyed()) window.hide()
  })
  window.setFullScreen(false)
}
