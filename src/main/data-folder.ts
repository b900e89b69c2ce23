import { app, dialog } from 'electron'
import { withoutDataDir } from './launch-options.ts'
import type { Settings } from './settings.ts'
import { describeStartFailure } from './start-failure.ts'

/** Asks for another data folder, remembers it and starts again with it. Does nothing when the user asks for none. */
export async function changeDataFolder(settings: Settings): Promise<void> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title: 'Use another data folder',
    message: 'Assay keeps its database, uploads and exports there. The current folder is left unchanged.',
    properties: ['openDirectory', 'createDirectory'],
  })
  const chosen = filePaths[0]
  if (canceled || chosen === undefined) return
  settings.setDataDir(chosen)
  app.relaunch({ args: withoutDataDir(process.argv.slice(1)) })
  app.quit()
}

/** Says why Assay cannot start, offers another data folder and quits. */
export async function reportStartFailure(error: unknown, dataDir: string, settings: Settings): Promise<void> {
  const { title, detail } = describeStartFailure(error, dataDir)
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Assay',
    message: title,
    detail,
    buttons: ['Quit', 'Use another data folder…'],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  if (response === 1) await changeDataFolder(settings)
  app.quit()
}
