import { existsSync } from 'node:fs'

/**
 * Where Debian's packages put the two builds of Chromium, the wanted one first: the one without a window has the same engine and costs
 * a fraction of the processor time.
 */
export const packagedBrowsers: readonly string[] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The browser that tests drive: the one that ASSAY_CHROMIUM names, or Debian's. Null where there is none. */
export function findBrowser(
  named: string | undefined = process.env['ASSAY_CHROMIUM'],
  exists: (path: string) => boolean = existsSync,
): string | null {
  return (named === undefined ? packagedBrowsers : [named]).find(exists) ?? null
}

/** Without the last five it calls home at every start, which a closed network refuses. */
export const browserArguments: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
