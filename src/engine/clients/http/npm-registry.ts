import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * The registry that npm is configured for: by the environment, else by the person’s `.npmrc`, else the one that npm itself uses. It ends in
 * a slash; null where npm is not installed and none is configured. Credentials are not read.
 * @param ask npm for its setting
 */
export async function npmRegistry(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home = homedir(),
  ask: () => Promise<string | null> = askNpm,
): Promise<string | null> {
  const named = env['npm_config_registry'] ?? env['NPM_CONFIG_REGISTRY'] ?? registryIn(env['NPM_CONFIG_USERCONFIG'] ?? join(home, '.npmrc'))
  return addressOf(named) ?? addressOf(await ask())
}

function addressOf(text: string | null | undefined): string | null {
  const url = text ? URL.parse(text.trim()) : null
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

function registryIn(file: string): string | undefined {
  try {
    return /^\s*registry\s*=\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}

let asked: Promise<string | null> | null = null

/** Once, since npm takes half a second to start. */
function askNpm(): Promise<string | null> {
  const isWindows = process.platform === 'win32'
  asked ??= promisify(execFile)(isWindows ? 'npm.cmd' : 'npm', ['config', 'get', 'registry'], { shell: isWindows }).then(
    ({ stdout }) => stdout,
    () => null,
  )
  return asked
}
