export { localModelsHandlers } from './local-models.handlers.ts'
export { createLocalRuntime } from './local-runtime.ts'
