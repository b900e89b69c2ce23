import type { BodyExamples } from '../body-examples.ts'
import type { sessionsEndpoints } from './sessions.endpoints.ts'

export const sessionsExamples: BodyExamples<typeof sessionsEndpoints> = {
  pair: { code: 'K7QF-2M9X' },
}
