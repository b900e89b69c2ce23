import { z } from 'zod'
import { Cursor } from '../../../contract/primitives.ts'
import { defineTool } from '../tool.ts'
import { listOf, untrustedRow } from '../untrusted.ts'

export const listDatasets = defineTool({
  name: 'list_datasets',
  title: 'List datasets',
  description: 'Datasets of labeled examples, with counts and the latest version.',
  effect: 'read',
  calls: ['listDatasets'],
  input: z.strictObject({
    q: z.string().max(200).default('').describe('Part of a name.'),
    archived: z.boolean().default(false),
    cursor: Cursor.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  page: () => '/datasets',
  run: async (query, { call, pageUrl }) => {
    const page = await call('listDatasets', { query })
    const rows = page.items.map(dataset => ({
      dataset_id: dataset.id,
      task: dataset.task,
      examples: { total: dataset.counts.total, approved: dataset.counts.approved, labeled: dataset.label_coverage.labeled },
      latest_version: dataset.latest_version && {
        dataset_version_id: dataset.latest_version.id,
        version: dataset.latest_version.version,
        examples: dataset.latest_version.example_count,
      },
      ...untrustedRow({ name: dataset.name }),
    }))
    return listOf(rows, page.next_cursor, pageUrl('/datasets'))
  },
})
