import { z } from 'zod'
import { PackageManifestFile } from '../../contract/creator/manifest.schemas.ts'
import { RunConfig } from '../../contract/run-config/run-config.schemas.ts'
import type { LostChanges } from '../../contract/storage/storage.schemas.ts'
import { currentVersion } from '../../contract/version.ts'
import type { metaEndpoints } from '../../contract/meta/meta.endpoints.ts'
import { lazily } from '../../lib/lazily.ts'
import { createIdentityProver } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { lasting } from '../http/lasting-answers.ts'
import type { Kernel } from '../kernel.ts'
import { appVersion } from '../version.ts'

// What cannot be written as JSON Schema, such as trimming a name, is left out of it.
function fileSchema(schema: z.ZodType, title: string): () => Record<string, unknown> {
  return lazily(() => lasting({ ...z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), title }))
}

export interface Health {
  readonly pausedRuns: () => number
  readonly lostChanges: () => LostChanges | null
}

export function metaHandlers(
  kernel: Kernel,
  document: (area?: string) => Promise<Record<string, unknown>>,
  { pausedRuns, lostChanges }: Health,
): Handlers<typeof metaEndpoints> {
  const prove = createIdentityProver(kernel)
  return {
    getHealth: () => {
      const health = kernel.storage.read()
      const stores = health.state === 'ok' || health.state === 'low'
      const paused = stores ? pausedRuns() : 0
      const lost = stores ? lostChanges() : null
      return {
        status: stores && paused === 0 && lost === null ? 'ok' : 'degraded',
        version: appVersion,
        service_version: currentVersion,
        storage: health,
        lost_changes: lost,
        runs: { paused },
      }
    },
    proveIdentity: ({ origin }, { query }) => ({ proof: prove({ ...query, authority: new URL(origin).host }) }),
    getOpenApi: async (_context, { query }) => lasting(await document(query.area)),
    getRunConfigSchema: fileSchema(RunConfig, 'assay.yaml'),
    getPackageSchema: fileSchema(PackageManifestFile, 'assay.package.json'),
  }
}
