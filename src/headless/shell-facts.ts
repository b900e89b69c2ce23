import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ElectronPackage, ShellFacts } from './decide-shell.ts'

/** What this machine offers a desktop app. */
export function shellFacts(): ShellFacts {
  return { env: process.env, platform: process.platform, electron: electronPackage(), root: process.getuid?.() === 0, exists: existsSync }
}

/** The installed Electron, found by its manifest: to load the package itself would start a download. */
function electronPackage(): ElectronPackage | null {
  try {
    const dir = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    const note = join(dir, 'path.txt')
    return { dir, program: existsSync(note) ? readFileSync(note, 'utf8') : null }
  } catch {
    return null
  }
}
