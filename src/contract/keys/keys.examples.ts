import type { BodyExamples } from '../body-examples.ts'
import type { keysEndpoints } from './keys.endpoints.ts'

export const keysExamples: BodyExamples<typeof keysEndpoints> = {
  createApiKey: { name: 'CI', scopes: ['catalog:read', 'quotes:write', 'runs:read', 'runs:write'], ceiling_microusd: '1000000' },
  setKeyCeiling: { ceiling_microusd: '2000000' },
  rollApiKey: { overlap: '24h' },
}
