import type { BodyExamples } from '../body-examples.ts'
import type { localModelsEndpoints } from './local-models.endpoints.ts'

export const localModelsExamples: BodyExamples<typeof localModelsEndpoints> = {
  identifyLocalModel: { path: '/home/ada/models/model-Q4_K_M.gguf' },
  addLocalModelFolder: { path: '/home/ada/models' },
  updateLocalModelSettings: { context_tokens: 8192, idle_minutes: 10 },
  installLocalRuntime: { backend: 'cpu' },
}
