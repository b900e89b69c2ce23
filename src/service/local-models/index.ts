export { localModelsHandlers } from './local-models.handlers.ts'
export { createLocalModels, type LocalModelsService } from './local-models.service.ts'
