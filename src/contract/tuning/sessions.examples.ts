import type { BodyExamples } from '../body-examples.ts'
import type { tuneSessionsEndpoints } from './sessions.endpoints.ts'

export const tuneSessionsExamples: BodyExamples<typeof tuneSessionsEndpoints> = {
  createTuneSession: {
    name: 'Cheaper sums',
    call: { model: { kind: 'managed', route_id: 'assay/oracle-75' }, prompt_template: 'Answer with a number: {input}' },
    grader: { scorer: 'assay/exact_match' },
    cases: [{ input: 'What is 6 times 7?', expected: '42' }],
  },
  patchTuneDraft: { revision: 1, cases: { upsert: [{ input: 'What is 8 times 9?', expected: '72' }] } },
}
