import type { BodyExamples } from '../body-examples.ts'
import type { releaseSuitesEndpoints } from './suites.endpoints.ts'

export const releaseSuitesExamples: BodyExamples<typeof releaseSuitesEndpoints> = {
  createReleaseSuite: {
    name: 'Release checks',
    groups: [{ key: 'math', title: 'Word problems', weight: 1, selection: { suite_version_id: '0199a1c0-7e1a-7c3e-9d52-4f1b8a6c2e06' } }],
  },
}
