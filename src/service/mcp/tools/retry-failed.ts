import { z } from 'zod'
import { Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool } from '../tool.ts'

export const retryFailed = defineTool({
  name: 'retry_failed',
  title: 'Retry unscored samples',
  description: 'Retries failed, missing and cancelled samples as a part, within the run’s spending limit. Wait for the part with wait_run.',
  effect: 'spend',
  calls: ['retryFailed'],
  input: z.strictObject({ run_id: Uuid, idempotency_key: IdempotencyKey }),
  page: ({ run_id: id }) => `/runs/${id}`,
  run: async ({ run_id: id, idempotency_key: key }, context) =>
    describeRun(await context.call('retryFailed', { params: { run_id: id }, headers: { 'idempotency-key': key } }), context),
})
