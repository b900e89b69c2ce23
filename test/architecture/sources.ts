import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../../src', import.meta.url))

/** Every module of the product, by its path in `src`. */
export const sources: readonly { readonly file: string; readonly text: string }[] = readdirSync(src, {
  recursive: true,
  withFileTypes: true,
})
  .filter(entry => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name))
  .map(path => ({ file: relative(src, path), text: readFileSync(path, 'utf8') }))
