import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { defineTool } from '../tool.ts'

export const cancelRun = defineTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description: 'Requests cancellation; wait_run says when it has stopped. Scored samples stay.',
  effect: 'write',
  calls: ['cancelRun'],
  input: z.strictObject({ run_id: Uuid }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id }, context) => describeRun(await context.call('cancelRun', { params: { run_id: id } }), context),
})
