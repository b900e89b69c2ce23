import type { localModelsEndpoints } from '../../contract/local-models/local-models.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { InstallationService } from '../installation/index.ts'
import { jobOwner } from '../jobs/index.ts'
import type { LocalModelsService } from './local-models.service.ts'

export function localModelsHandlers(models: LocalModelsService, installation: InstallationService): Handlers<typeof localModelsEndpoints> {
  const { runtime } = models
  const byOwner = { allowLocalKey: true } as const
  return {
    listLocalModels: () => models.list(),
    identifyLocalModel: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'make files of this machine models', byOwner)
      return models.identify(jobOwner(principal), body.path)
    },
    addLocalModelFolder: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'add folders of models', byOwner)
      return models.addFolder(body.path)
    },
    removeLocalModelFolder: ({ principal }, { params }) => {
      installation.requireOwner(principal, 'remove folders of models', byOwner)
      return models.removeFolder(params.folder_id)
    },
    updateLocalModelSettings: ({ principal }, { body }) => {
      installation.requireOwner(principal, 'change how local models are loaded', byOwner)
      return models.change(body)
    },
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
