import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { app } from 'electron'

/** The setting that the system starts Assay when its user signs in. The system keeps it, so that it can be changed there as well. */
export interface LoginItem {
  readonly enabled: () => boolean
  readonly set: (enabled: boolean) => void
}

export function loginItem(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): LoginItem {
  if (platform !== 'linux') {
    return {
      enabled: () => app.getLoginItemSettings().openAtLogin,
      set: enabled => app.setLoginItemSettings({ openAtLogin: enabled }),
    }
  }
  // Electron has none on Linux: every desktop reads this folder.
  const folder = join(app.getPath('appData'), 'autostart')
  const file = join(folder, 'assay.desktop')
  return {
    enabled: () => existsSync(file),
    set: enabled => {
      if (!enabled) return rmSync(file, { force: true })
      mkdirSync(folder, { recursive: true })
      const program = env['APPIMAGE'] ?? process.execPath
      writeFileSync(file, `[Desktop Entry]\nType=Application\nName=Assay\nExec=${quoted(program)}\nX-GNOME-Autostart-enabled=true\n`)
    },
  }
}

/** As an argument of `Exec` (Desktop Entry Specification): quoted, four characters escaped, and `%` doubled. */
function quoted(program: string): string {
  return `"${program.replaceAll(/["`$\\]/g, '\\\\$&').replaceAll('%', '%%')}"`
}
