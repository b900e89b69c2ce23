declare global {
  /** As every runtime of ours has it. */
  interface ImportMeta {
    url: string
  }
}

/** Whether this code was installed as a package; a checkout has it in folders of its own. */
const isInstalled = import.meta.url.includes('/node_modules/')

/** A path as one argument of a command that a person copies into a shell. */
export function quoted(path: string, platform: string): string {
  return platform === 'win32' ? `"${path}"` : `'${path.replaceAll("'", String.raw`'\''`)}'`
}

/**
 * A command of Assay as a person types it: `assay pair` where it is installed, `npm run pair` in a checkout.
 * @param rest arguments, as they are typed
 */
export function commandLine(command: string, rest = ''): string {
  const words = rest === '' ? [] : [rest]
  return isInstalled ? ['assay', command, ...words].join(' ') : ['npm run', command, ...(rest === '' ? [] : ['--']), ...words].join(' ')
}
