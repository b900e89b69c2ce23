import { z } from 'zod'
import { MicroUsd, Name, Uuid } from '../../../contract/primitives.ts'
import { TaskSelection } from '../../../contract/suites/suites.schemas.ts'
import { describeQuote } from '../describe-quote.ts'
import { IdempotencyKey } from '../idempotency-key.ts'
import { Model, modelChoice } from '../model-choice.ts'
import { defineTool } from '../tool.ts'

const Tasks = z.strictObject({
  model: Model,
  task_selections: z
    .array(TaskSelection.omit({ coverage: true }))
    .min(1)
    .max(100)
    .optional()
    .describe('Exact tasks, as recommend_tasks answers them; either these or suite_version_id.'),
  suite_version_id: Uuid.optional(),
  max_charge_microusd: MicroUsd.default('0').describe('Spending limit: the most that the evaluation may charge the wallet.'),
  max_provider_billed_microusd: MicroUsd.optional().describe('Spending limit on what a connection’s provider may bill.'),
})

function bodyOf({ model, max_provider_billed_microusd: provider, ...tasks }: z.output<typeof Tasks>) {
  return { model: modelChoice(model), ...tasks, execution: { max_provider_billed_microusd: provider ?? null } }
}

export const quoteTasks = defineTool({
  name: 'quote_tasks',
  title: 'Quote exact tasks',
  description: 'Compatibility and cost of evaluating exactly these tasks or a suite. Costs nothing; evaluate_tasks takes the same input.',
  effect: 'write',
  calls: ['quoteEvaluation'],
  input: Tasks,
  page: () => '/suites/new',
  run: async (input, context) => describeQuote(await context.call('quoteEvaluation', { body: bodyOf(input) }), context),
})

export const evaluateTasks = defineTool({
  name: 'evaluate_tasks',
  title: 'Evaluate exact tasks',
  description: 'Runs a model on exactly these tasks or a suite, never on a sample. Wait for its run_id with wait_run.',
  effect: 'spend',
  calls: ['createEvaluation'],
  input: z.strictObject({ ...Tasks.shape, idempotency_key: IdempotencyKey, name: Name.optional() }),
  page: () => '/suites/new',
  run: async ({ idempotency_key: key, name, ...tasks }, { call, pageUrl }) => {
    const evaluation = await call('createEvaluation', {
      body: { name: name ?? `Evaluation of ${key}`.slice(0, 200), ...bodyOf(tasks) },
      headers: { 'idempotency-key': key },
    })
    return {
      evaluation_id: evaluation.id,
      run_id: evaluation.run_id,
      status: evaluation.status,
      sources: evaluation.sources.map(({ source_ref: source, profile_id: profile, tasks: count }) => ({
        source_ref: source,
        profile_id: profile,
        tasks: count,
      })),
      page: pageUrl(`/runs/${evaluation.run_id}`),
    }
  },
})
