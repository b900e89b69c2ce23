import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool } from '../tool.ts'

export const regradeRun = defineTool({
  name: 'regrade_run',
  title: 'Regrade stored answers',
  description:
    'Grades stored answers again, or adds the metric of a deterministic evaluator. No model is called; evaluators with judges are quoted on the page.',
  effect: 'write',
  calls: ['regradeRun'],
  input: z.strictObject({
    run_id: Uuid,
    idempotency_key: IdempotencyKey,
    evaluator_version_id: Uuid.optional().describe('Adds its metric and leaves every other score as it is.'),
  }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id, idempotency_key: key, evaluator_version_id: evaluator }, context) =>
    describeRun(
      await context.call('regradeRun', {
        params: { run_id: id },
        body: { evaluator_version_id: evaluator },
        headers: { 'idempotency-key': key },
      }),
      context,
    ),
})
