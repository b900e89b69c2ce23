import type { BodyExamples } from '../body-examples.ts'
import type { traceIntegrationsEndpoints } from './integrations.endpoints.ts'

const keyPair = { host: 'https://traces.example.com', public_key: 'pk-your-public-key', secret_key: 'sk-your-secret-key' }
const accessKey = { access_key: 'your-access-key' }

export const traceIntegrationsExamples: BodyExamples<typeof traceIntegrationsEndpoints> = {
  discoverProviderAProjects: keyPair,
  connectProviderA: { ...keyPair, name: 'Production' },
  discoverProviderBProjects: accessKey,
  connectProviderB: { ...accessKey, project_id: 'support', name: 'Production' },
  discoverProviderCProjects: accessKey,
  connectProviderC: { ...accessKey, project_id: 'support', name: 'Production' },
  reconnectTraceIntegration: keyPair,
  reconnectWorkloadTraceIntegration: accessKey,
  backfillTraces: { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z', max_traces: 1000 },
}
