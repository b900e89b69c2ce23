import { ConnectionLimits } from '../../contract/connections/connections.schemas.ts'
import type { OpenedRoute } from './connections.service.ts'

/** For a run whose route lost its key or its server after it was quoted: every call fails with this error, and the run ends. */
export function goneRoute(routeId: string): OpenedRoute {
  const isFile = /^local\/[^/]+@[0-9a-f]{12}$/.test(routeId)
  const message = isFile
    ? `The file of "${routeId}" is gone or was changed. Put it back and retry the missing samples.`
    : `The model route "${routeId}" is gone: its key is no longer stored, or its server was not found again.`
  const failure = { ok: false, code: isFile ? 'model_not_found' : 'credential_refused', message, retryAfterMs: null, latencyMs: 0 } as const
  return {
    endpoint: `route:${routeId}`,
    client: {
      call: async () => ({ ...failure, request: null, response: null, httpStatus: null }),
      probe: async () => failure,
      close: async () => {},
    },
    limits: ConnectionLimits.parse({}),
  }
}
