import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { describeResults } from '../describe-results.ts'
import { defineTool } from '../tool.ts'

export const getResults = defineTool({
  name: 'get_results',
  title: 'Read results',
  description: 'Scores of an ended run, each with n and interval. State both with every score.',
  effect: 'read',
  calls: ['getRunResults'],
  input: z.strictObject({
    run_id: Uuid,
    version: z.int().min(1).optional().describe('Latest when absent.'),
    all_metrics: z.boolean().default(false).describe('Also metrics other than each profile’s primary one.'),
    labels: z.boolean().default(false),
  }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id, version, all_metrics: allMetrics, labels }, context) =>
    describeResults(await context.call('getRunResults', { params: { run_id: id }, query: { version } }), context, { allMetrics, labels }),
})
