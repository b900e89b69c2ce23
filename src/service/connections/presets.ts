import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConnectionPresets } from '../../contract/index.ts'

let known: ConnectionPresets | null = null

/** Read once, when it is first wanted. @throws Error as `read` does */
export function connectionPresets(): ConnectionPresets {
  known ??= read()
  return known
}

/** The table that ships with the product, beside the built product or the source. @throws Error when it is missing or not as agreed */
function read(): ConnectionPresets {
  const file = ['../../resources/', '../../../resources/']
    .map(path => fileURLToPath(new URL(`${path}connection-presets.json`, import.meta.url)))
    .find(path => existsSync(path))
  if (!file) throw new Error('resources/connection-presets.json is missing; install the product again.')
  return ConnectionPresets.parse(JSON.parse(readFileSync(file, 'utf8')))
}
