import { z } from 'zod'
import { Cursor } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listBenchmarks = defineTool({
  name: 'list_benchmarks',
  title: 'List benchmarks',
  description: 'Benchmarks with the ids of their profiles, which create_quote takes. Only those with ready=true can run.',
  effect: 'read',
  calls: ['listBenchmarks', 'getBenchmark'],
  input: z.strictObject({
    query: z.string().max(120).default('').describe('Words of title, summary or capabilities.'),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  run: async ({ query, cursor, limit }, { call, pageUrl }) => {
    const page = await call('listBenchmarks', { query: { q: query, cursor, limit } })
    // What is still being checked is waited for by reading it.
    const checked = page.items.find(({ quote_availability: { status } }) => status === 'checking')
    if (checked) await call('getBenchmark', { params: { slug: checked.slug } })
    const known = checked ? await call('listBenchmarks', { query: { q: query, cursor, limit } }) : page
    const rows = known.items.map(benchmark => ({
      slug: benchmark.slug,
      tasks: benchmark.latest_version?.task_counts ?? null,
      ready: benchmark.quote_availability.status === 'ready_for_quote',
      profile_ids: benchmark.profile_ids,
      ...untrustedRow({ title: benchmark.title, capabilities: benchmark.capabilities.slice(0, 4) }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/catalog'))
  },
})
