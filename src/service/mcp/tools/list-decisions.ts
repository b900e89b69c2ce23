import { z } from 'zod'
import { Cursor } from '../../../contract/primitives.ts'
import { decisionMachine } from '../../../contract/releases/decision.machine.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listDecisions = defineTool({
  name: 'list_decisions',
  title: 'List release decisions',
  description: 'Release decisions, newest first; get_decision reads one.',
  effect: 'read',
  calls: ['listReleaseDecisions'],
  input: z.strictObject({
    status: z.enum(decisionMachine.states).optional(),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  page: () => '/releases',
  run: async (query, { call, pageUrl }) => {
    const page = await call('listReleaseDecisions', { query })
    const rows = page.items.map(decision => ({
      decision_id: decision.id,
      status: decision.status,
      recommendation: decision.recommendation,
      look: decision.look,
      looks: decision.looks,
      created_at: decision.created_at,
      ...untrustedRow({ name: decision.name, candidate: decision.candidate, baseline: decision.baseline }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/releases'))
  },
})
