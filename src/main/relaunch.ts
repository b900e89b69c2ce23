import { app } from 'electron'

/** Starts Assay again after its end. An AppImage by its own file: the program inside is gone once it is unmounted. */
export function relaunch(args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const image = env['APPIMAGE']
  app.relaunch({ args: [...args], ...(image !== undefined && image !== '' && { execPath: image }) })
}
