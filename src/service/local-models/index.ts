export { localModelsHandlers } from './local-models.handlers.ts'
export { createLocalModels, type LocalModelsService, type LocalRoute } from './local-models.service.ts'
