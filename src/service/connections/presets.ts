import { readFileSync } from 'node:fs'
import { ConnectionPresets } from '../../contract/index.ts'
import { shippedPath } from '../../engine/content/shipped-path.ts'

let known: ConnectionPresets | null = null

/** Read once, when it is first wanted. @throws Error as `read` does */
export function connectionPresets(): ConnectionPresets {
  known ??= read()
  return known
}

/** The table that ships with the product. @throws Error when it is missing or not as agreed */
function read(): ConnectionPresets {
  return ConnectionPresets.parse(JSON.parse(readFileSync(shippedPath('connection-presets.json'), 'utf8')))
}
