import { z } from 'zod'
import { Name, Uuid } from '../../../contract/primitives.ts'
import { describeRun } from '../describe-run.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { defineTool } from '../tool.ts'

export const submitRun = defineTool({
  name: 'submit_run',
  title: 'Submit a quote as a run',
  description:
    'Starts the run of a quote, within its spending limit and the key’s. The same quote and idempotency_key give the same run, so repeat the call when an answer was lost.',
  effect: 'spend',
  calls: ['submitRun'],
  input: z.strictObject({ quote_id: Uuid, idempotency_key: IdempotencyKey, name: Name.optional() }),
  page: ({ quote_id: id }) => `/quotes/${id}`,
  run: async ({ quote_id: quoteId, idempotency_key: key, name }, context) => {
    const { run } = await context.call('submitRun', {
      body: { quote_id: quoteId, name: name ?? `Run of ${key}`.slice(0, 200) },
      headers: { 'idempotency-key': key },
    })
    return describeRun(run, context)
  },
})
