import type { BodyExamples } from '../body-examples.ts'
import type { localModelsEndpoints } from './local-models.endpoints.ts'

export const localModelsExamples: BodyExamples<typeof localModelsEndpoints> = {
  installLocalRuntime: { backend: 'cpu' },
}
