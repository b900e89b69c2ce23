import type { BodyExamples } from '../body-examples.ts'
import type { workersEndpoints } from './workers.endpoints.ts'

export const workersExamples: BodyExamples<typeof workersEndpoints> = {
  reportWorker: {
    name: 'build-7',
    labels: ['linux'],
    slots: 4,
    busy: 0,
    version: '0.1.0',
    sandboxes: [],
    public_key: 'MCowBQYDK2VuAyEAD/VkAjTYT7bC5j1WrkHkQx6iP4ZgZTgpLIaXT0h9jWI=',
  },
  takeBatch: { attempt: 1 },
  reportBatch: {
    attempt: 1,
    outcome: {
      kind: 'grade',
      scores: [[{ value: 1, class: 'correct', answer: '42', answerSpan: null, explanation: 'All 3 tests passed.' }]],
    },
  },
}
