import type { BodyExamples } from '../body-examples.ts'
import type { releaseLabelsEndpoints } from './labels.endpoints.ts'

export const releaseLabelsExamples: BodyExamples<typeof releaseLabelsEndpoints> = {
  createReleaseLabel: {
    target: { run_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e02', sample_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e0d' },
    verdict: 'fail',
    rationale: 'The answer names the wrong product.',
  },
}
