import { renameSync, rmSync, writeFileSync } from 'node:fs'

/** Written whole or not at all, readable by its owner alone. */
export function replacePrivateFile(path: string, text: string): void {
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  writeFileSync(partial, text, { mode: 0o600, flag: 'wx' })
  renameSync(partial, path)
}
