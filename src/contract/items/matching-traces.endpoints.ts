import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { TraceFilter } from '../traces/trace-filter.schemas.ts'
import { Timestamp } from '../primitives.ts'
import { Folder } from './items.schemas.ts'

const TracesChange = z
  .strictObject({
    filter: TraceFilter.describe('Every trace that `listTraces` lists with these fields.'),
    expected: z.int().min(0).optional().describe('Number of traces that `filter` matched when it was last looked at.'),
    as_of: Timestamp.optional().describe(
      'When it was looked at, as `dry_run` answers it. Traces that came or changed since are left out, so that fewer than `expected` may match.',
    ),
    archived: z.boolean().optional().describe('False restores them.'),
    folder: Folder.nullable().optional().describe('Null takes the traces out of their folder.'),
    dry_run: z.boolean().default(false).describe('Changes nothing: says how many traces match.'),
  })
  .refine(({ expected, dry_run: dry }) => dry || expected !== undefined, {
    path: ['expected'],
    error: 'is required; send `dry_run` first to read it.',
  })
  .refine(({ archived, folder, dry_run: dry }) => dry || archived !== undefined || folder !== undefined, {
    error: 'Send `archived`, `folder` or both.',
  })
  .meta({ id: 'TracesChange' })

export const matchingTracesEndpoints = endpoints('Traces', {
  changeTraces: {
    route: 'PATCH /v1/traces',
    summary: 'Archive or move every trace that a filter matches',
    description:
      'Refused with `conflict` if the filter matches another number of traces than `expected`. Where traces arrive all the time, send `as_of` of the dry run. Also needs the scope traces:read.',
    scope: 'traces:write',
    body: TracesChange,
    response: z.strictObject({
      matched: z.int().min(0).describe('Traces that the filter matches.'),
      as_of: Timestamp.describe('Until when traces were taken into account.'),
      changed: z.int().min(0).describe('Traces that are as asked now, those included that were before; 0 for `dry_run`.'),
    }),
    errors: ['conflict', 'missing_scope'],
  },
})
