import { z } from 'zod'
import { Cursor } from '../../../contract/primitives.ts'
import { runMachine } from '../../../contract/runs/run.machine.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listRuns = defineTool({
  name: 'list_runs',
  title: 'List runs',
  description: 'Runs, newest first, with status and sample counts.',
  effect: 'read',
  calls: ['listRuns'],
  input: z.strictObject({
    q: z.string().max(200).default('').describe('Part of a name, model or benchmark.'),
    status: z.enum(runMachine.states).optional(),
    archived: z.boolean().default(false),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  page: () => '/runs',
  run: async ({ archived, ...query }, { call, pageUrl }) => {
    const page = await call('listRuns', { query: { ...query, archived: archived ? 'true' : 'false' } })
    const rows = page.items.map(run => ({
      run_id: run.id,
      status: run.status,
      profile_ids: run.profiles.slice(0, 3).map(profile => profile.profile_id),
      samples: { frozen: run.progress.frozen, scored: run.progress.scored },
      charged_microusd: run.accounting.charged_microusd,
      created_at: run.created_at,
      ...untrustedRow({ name: run.name, model: run.model.title }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/runs'))
  },
})
