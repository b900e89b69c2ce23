import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Path of a file or folder in `resources`, beside the source or beside the built product.
 * @throws Error when it is missing
 */
export function shippedPath(name: string): string {
  const path = ['../../../resources/', '../../resources/']
    .map(root => fileURLToPath(new URL(`${root}${name}`, import.meta.url)))
    .find(candidate => existsSync(candidate))
  if (path === undefined) throw new Error(`resources/${name} is missing; install the product again.`)
  return path
}
