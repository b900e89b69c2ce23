import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { defineTool } from '../tool.ts'

export const getRun = defineTool({
  name: 'get_run',
  title: 'Read a run',
  description: 'Status, progress and cost of a run.',
  effect: 'read',
  calls: ['getRun'],
  input: z.strictObject({ run_id: Uuid }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id }, context) => describeRun(await context.call('getRun', { params: { run_id: id } }), context),
})
