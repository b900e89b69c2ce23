import type { BodyExamples } from '../body-examples.ts'
import type { connectionsEndpoints } from './connections.endpoints.ts'

export const connectionsExamples: BodyExamples<typeof connectionsEndpoints> = {
  createConnection: { name: 'My model server', base_url: 'http://127.0.0.1:8080/v1', model: 'my-model' },
  listEndpointModels: { protocol: 'openai_chat', base_url: 'http://127.0.0.1:8080/v1' },
  tryConnection: { prompt: 'What is 17 + 25? Answer with the number.' },
  setLocalRouteRates: {
    route_id: 'local/my-model',
    rates: { input_microusd_per_million: '150000', output_microusd_per_million: '600000' },
  },
  updateConnection: { limits: { max_concurrency: 8, requests_per_minute: 600 } },
}
