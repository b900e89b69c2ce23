import { z } from 'zod'
import { Cursor } from '../../../contract/primitives.ts'
import { tuneSessionMachine } from '../../../contract/tuning/session.machine.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listTuneSessions = defineTool({
  name: 'list_tune_sessions',
  title: 'List tuning sessions',
  description: 'Tuning sessions, newest first, with status and number of cases.',
  effect: 'read',
  calls: ['listTuneSessions'],
  input: z.strictObject({
    q: z.string().max(200).default('').describe('Part of a name.'),
    status: z.enum(tuneSessionMachine.states).optional(),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  page: () => '/tuning',
  run: async (query, { call, pageUrl }) => {
    const page = await call('listTuneSessions', { query })
    const rows = page.items.map(session => ({
      session_id: session.id,
      status: session.status,
      revision: session.revision,
      cases: session.case_count,
      concluded: session.conclusion !== null,
      created_at: session.created_at,
      ...untrustedRow({ name: session.name }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/tuning'))
  },
})
