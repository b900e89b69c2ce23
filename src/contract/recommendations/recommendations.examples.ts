import type { BodyExamples } from '../body-examples.ts'
import type { recommendationsEndpoints } from './recommendations.endpoints.ts'

export const recommendationsExamples: BodyExamples<typeof recommendationsEndpoints> = {
  recommendTasks: { objective: 'Solve arithmetic word problems', models: ['assay/oracle-75'], task_limit: 200 },
}
