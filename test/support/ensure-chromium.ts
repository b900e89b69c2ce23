import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findBrowser, packagedBrowsers } from './chromium.ts'
import { messageOf } from '../../src/lib/message-of.ts'

export interface ChromiumFacts {
  /** What ASSAY_CHROMIUM names, if anything. */
  readonly named: string | undefined
  /** Whether this process may install packages with apt-get. */
  readonly mayInstall: boolean
  readonly exists: (path: string) => boolean
  /** Installs Debian's package of the wanted build; answers whether it did. */
  readonly install: () => boolean
}

/**
 * The Chromium that the browser tests drive, installed where it is absent and may be.
 * @throws Error that says how to get one.
 */
export function ensureChromium({ named, mayInstall, exists, install }: ChromiumFacts): string {
  const found = findBrowser(named, exists)
  if (found) return found
  if (named !== undefined) throw new Error(`ASSAY_CHROMIUM names ${named}, and no such file exists.`)
  const installed = mayInstall && install() ? findBrowser(named, exists) : null
  if (installed) return installed
  throw new Error(
    `The browser tests need Chromium at ${packagedBrowsers.join(' or ')}, or at the path in ASSAY_CHROMIUM. On Debian and Ubuntu: apt-get install chromium`,
  )
}

const aptGetProgram = '/usr/bin/apt-get'

function aptGet(...args: string[]): boolean {
  return spawnSync(aptGetProgram, args, { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    ensureChromium({
      named: process.env['ASSAY_CHROMIUM'],
      mayInstall: process.getuid?.() === 0 && existsSync(aptGetProgram),
      exists: existsSync,
      install: () => aptGet('update', '-q') && aptGet('install', '-y', '-q', '--no-install-recommends', 'chromium-headless-shell'),
    })
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  }
}
