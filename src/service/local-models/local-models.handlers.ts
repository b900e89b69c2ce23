import type { localModelsEndpoints } from '../../contract/local-models/local-models.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import { jobOwner } from '../jobs/index.ts'
import type { LocalRuntimeService } from './local-runtime.ts'

export function localModelsHandlers(
  { runtime }: { readonly runtime: LocalRuntimeService },
  installation: InstallationService,
): Handlers<typeof localModelsEndpoints> {
  const byOwner = { allowLocalKey: true } as const
  return {
    getLocalRuntime: () => runtime.read(),
    installLocalRuntime: ({ principal, workspaceId }, { body }) => {
      installation.requireOwner(principal, 'install the runtime', byOwner)
      return runtime.install(workspaceId, jobOwner(principal), body)
    },
    removeLocalRuntime: ({ principal }) => {
      installation.requireOwner(principal, 'remove the runtime', byOwner)
      return runtime.remove()
    },
  }
}
