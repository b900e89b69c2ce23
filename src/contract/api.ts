import { catalogEndpoints } from './catalog/catalog.endpoints.ts'
import { connectionsEndpoints } from './connections/connections.endpoints.ts'
import { metaEndpoints } from './meta/meta.endpoints.ts'
import { quotesEndpoints } from './quotes/quotes.endpoints.ts'
import { runsEndpoints } from './runs/runs.endpoints.ts'
import { sessionsEndpoints } from './sessions/sessions.endpoints.ts'

/** Every operation of the interface, by operation id. */
export const api = {
  ...metaEndpoints,
  ...sessionsEndpoints,
  ...catalogEndpoints,
  ...connectionsEndpoints,
  ...quotesEndpoints,
  ...runsEndpoints,
} as const

export type Api = typeof api
export type OperationId = keyof Api
