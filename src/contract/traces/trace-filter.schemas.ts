import { z } from 'zod'
import { filingQuery } from '../items/items.schemas.ts'
import { named, textMatch, textSearch, Uuid } from '../primitives.ts'
import { TraceSource } from './traces.schemas.ts'

const Instant = z.iso.datetime({ offset: true })

/** What narrows the list of traces. */
export const traceFilter = {
  source: TraceSource.optional(),
  integration_id: Uuid.optional(),
  from: Instant.optional().describe('Earliest start time, inclusive.'),
  to: Instant.optional().describe('Latest start time, exclusive.'),
  q: z
    .string()
    .max(200)
    .default('')
    .describe(`${textSearch} Of the name, the ids, or what one span was given or answered, tool calls and reasoning included.`),
  match: textMatch,
  model: z.string().max(200).optional(),
  has_error: z.boolean().optional(),
  ...filingQuery,
}

export const TraceFilter = named('TraceFilter', traceFilter)
export type TraceFilter = z.infer<typeof TraceFilter>
