import type { BodyExamples } from '../body-examples.ts'
import type { matchingTracesEndpoints } from './matching-traces.endpoints.ts'

export const matchingTracesExamples: BodyExamples<typeof matchingTracesEndpoints> = {
  changeTraces: { filter: { q: 'health check', to: '2026-06-01T00:00:00.000Z' }, expected: 9120, archived: true },
}
