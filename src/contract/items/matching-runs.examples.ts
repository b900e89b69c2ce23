import type { BodyExamples } from '../body-examples.ts'
import type { matchingRunsEndpoints } from './matching-runs.endpoints.ts'

export const matchingRunsExamples: BodyExamples<typeof matchingRunsEndpoints> = {
  changeRuns: { filter: { tag: 'trial', created_before: '2026-06-01T00:00:00.000Z' }, expected: 212, archived: true },
}
