import type { BodyExamples } from '../body-examples.ts'
import type { catalogEndpoints } from './catalog.endpoints.ts'

export const catalogExamples: BodyExamples<typeof catalogEndpoints> = {
  createImport: {
    format: 'jsonl',
    name: 'Support questions',
    version: '1.0',
    mapping: { input: 'question', target: 'answer', id: 'id' },
    dry_run: true,
  },
}
