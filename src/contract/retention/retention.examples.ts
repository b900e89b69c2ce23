import type { BodyExamples } from '../body-examples.ts'
import type { retentionEndpoints } from './retention.endpoints.ts'

export const retentionExamples: BodyExamples<typeof retentionEndpoints> = {
  changeRetention: { kind: 'traces', max_age_days: 90, max_items: null },
}
