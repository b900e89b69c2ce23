import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** npm’s own, where none is configured. */
const publicRegistry = 'https://registry.npmjs.org/'

/**
 * The registry that npm is configured for: by the environment, else by the person’s `.npmrc`, else npm’s own. It ends in a slash.
 * Credentials are not read: a registry that requires some is used with `--from`.
 */
export function npmRegistry(env: Readonly<Record<string, string | undefined>> = process.env, home = homedir()): string {
  const named = env['npm_config_registry'] ?? env['NPM_CONFIG_REGISTRY'] ?? registryIn(env['NPM_CONFIG_USERCONFIG'] ?? join(home, '.npmrc'))
  const url = named === undefined ? null : URL.parse(named.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return publicRegistry
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

function registryIn(file: string): string | undefined {
  try {
    return /^\s*registry\s*=\s*(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
