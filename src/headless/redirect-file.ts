import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { escapeHtml } from '../service/http/static-page.ts'
import { replacePrivateFile } from '../service/lifecycle/replace-private-file.ts'

const name = 'assay-sign-in.html'
const execute = promisify(execFile)

/**
 * Writes a page, readable by its owner alone, that leads to the address: every user of a machine sees the arguments of a browser, and the
 * address signs one in.
 * @returns path of the page, which is replaced by the next one
 */
export async function writeRedirectFile(dataDir: string, address: string): Promise<string> {
  const path = join(resolve((await readableFolder()) ?? dataDir), name)
  const target = escapeHtml(address)
  replacePrivateFile(
    path,
    `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${target}">
<title>Opening Assay</title>
<p><a href="${target}">Open Assay</a></p>
`,
  )
  return path
}

/** A browser that is a snap, as on Ubuntu, reads no hidden folder, and the data folder is in one; it reads its own. Null for others. */
async function readableFolder(): Promise<string | null> {
  if (process.platform !== 'linux') return null
  try {
    const { stdout } = await execute('xdg-settings', ['get', 'default-web-browser'], { timeout: 5_000 })
    const snap = /^([a-z\d-]+)_[a-z\d-]+\.desktop\s*$/.exec(stdout)?.[1]
    const folder = snap === undefined ? null : join(homedir(), 'snap', snap, 'common')
    return folder !== null && existsSync(folder) ? folder : null
  } catch {
    // There is no such program, or no default.
    return null
  }
}
