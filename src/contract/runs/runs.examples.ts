import type { BodyExamples } from '../body-examples.ts'
import type { runsEndpoints } from './runs.endpoints.ts'

export const runsExamples: BodyExamples<typeof runsEndpoints> = {
  prepareRunExport: { format: 'csv' },
  submitRun: { quote_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e01', name: 'Word problems' },
}
