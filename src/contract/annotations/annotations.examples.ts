import type { BodyExamples } from '../body-examples.ts'
import type { annotationsEndpoints } from './annotations.endpoints.ts'

export const annotationsExamples: BodyExamples<typeof annotationsEndpoints> = {
  changeAnnotations: { bookmarked: true, add_tags: ['release 2.1'] },
  createNote: { note: 'The prompt of the second profile changed here.' },
  changeNote: { note: 'The prompt of both profiles changed here.' },
}
