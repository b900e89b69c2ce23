import { app, type BrowserWindow, dialog, type MessageBoxOptions, type OpenDialogOptions } from 'electron'
import { withoutDataDir } from './launch-options.ts'
import { relaunch } from './relaunch.ts'
import type { Settings } from './settings.ts'
import { describeStartFailure } from './start-failure.ts'

/** Asks for another data folder, remembers it and starts again with it. Does nothing when the user asks for none. */
export async function changeDataFolder(settings: Settings, window: BrowserWindow | null): Promise<void> {
  const options: OpenDialogOptions = {
    title: 'Use another data folder',
    message: 'Assay keeps its database, uploads and exports there. The current folder is left unchanged.',
    properties: ['openDirectory', 'createDirectory'],
  }
  const { canceled, filePaths } = await (window === null ? dialog.showOpenDialog(options) : dialog.showOpenDialog(window, options))
  const chosen = filePaths[0]
  if (canceled || chosen === undefined) return
  settings.setDataDir(chosen)
  relaunch(withoutDataDir(process.argv.slice(1)))
  app.quit()
}

/** Says why Assay cannot start, offers another data folder and quits. */
export async function reportStartFailure(
  error: unknown,
  dataDir: string,
  settings: Settings,
  window: BrowserWindow | null = null,
): Promise<void> {
  const { title, detail } = describeStartFailure(error, dataDir)
  const options: MessageBoxOptions = {
    type: 'error',
    title: 'Assay',
    message: title,
    detail,
    buttons: ['Quit', 'Use another data folder…'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  }
  const { response } = await (window === null ? dialog.showMessageBox(options) : dialog.showMessageBox(window, options))
  if (response === 1) await changeDataFolder(settings, window)
  app.quit()
}
