import type { BodyExamples } from '../body-examples.ts'
import type { evidenceEndpoints } from './evidence.endpoints.ts'

export const evidenceExamples: BodyExamples<typeof evidenceEndpoints> = {
  createEvidence: {
    name: 'Nightly checks',
    format: 'csv',
    source: { tool: 'pytest', version: '9.0' },
    content: 'task,score\nlogin,1\nrefund,0\n',
  },
  previewEvidence: { mapping: { task_field: 'task', value_field: 'score' } },
  analyzeEvidence: { mapping: { task_field: 'task', value_field: 'score', pass_at: 1 } },
}
