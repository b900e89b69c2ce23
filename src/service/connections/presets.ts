import { readFileSync } from 'node:fs'
import type { Connection } from '../../contract/connections/connections.schemas.ts'
import { type ConnectionPreset, ConnectionPresets } from '../../contract/connections/presets.schemas.ts'
import { shippedPath } from '../../engine/content/shipped-path.ts'
import { originOf } from './connection-secret.ts'

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

/** Whether a preset states that the model takes no temperature. */
export function refusesTemperature(presets: readonly ConnectionPreset[], { base_url, model }: Connection): boolean {
  return presets
    .filter(preset => originOf(preset.base_url) === originOf(base_url))
    .some(preset => preset.models.some(known => known.model === model && !known.supports_temperature))
}
