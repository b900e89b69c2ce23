import { currentVersion } from '../../contract/index.ts'
import type { metaEndpoints } from '../../contract/meta/meta.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import { appVersion } from '../version.ts'

export function metaHandlers(document: Record<string, unknown>): Handlers<typeof metaEndpoints> {
  return {
    getHealth: () => ({ status: 'ok' as const, version: appVersion, service_version: currentVersion }),
    getOpenApi: () => document,
  }
}
