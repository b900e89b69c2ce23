import type { BodyExamples } from '../body-examples.ts'
import type { answersEndpoints } from './answers.endpoints.ts'

export const answersExamples: BodyExamples<typeof answersEndpoints> = {
  importAnswers: {
    profile_id: 'arithmetic-word-problems@1.0.0-seed20261101:zero-shot',
    format: 'jsonl',
    mapping: { task_id: 'id', output: 'answer' },
    model: 'my-model',
    name: 'Answers of last week',
  },
}
