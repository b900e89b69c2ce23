import type { BodyExamples } from '../body-examples.ts'
import type { itemsEndpoints } from './items.endpoints.ts'

export const itemsExamples: BodyExamples<typeof itemsEndpoints> = {
  changeItems: { kind: 'benchmark', ids: ['support-questions'], archived: true, folder: 'Support 2025' },
}
