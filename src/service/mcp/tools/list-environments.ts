import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listEnvironments = defineTool({
  name: 'list_environments',
  title: 'List environments',
  description:
    'Tasks solved with tools over several turns, the workspace’s own among them, with the ids of their profiles for create_quote. Then submit_run and get_results.',
  effect: 'read',
  calls: ['listEnvironments'],
  input: z.strictObject({ cursor: Uuid.optional(), limit: z.int().min(1).max(50).default(10) }),
  run: async ({ cursor, limit }, { call, pageUrl }) => {
    const page = await call('listEnvironments', { query: { cursor, limit } })
    const rows = page.items.map(environment => ({
      family: environment.family,
      tasks: environment.latest_version.task_counts,
      max_turns: environment.max_turns,
      ready: environment.quote_availability.status === 'ready_for_quote',
      profile_ids: environment.profile_ids,
      ...untrustedRow({ title: environment.title, tools: environment.tool_names.slice(0, 12) }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/catalog/environments'))
  },
})
