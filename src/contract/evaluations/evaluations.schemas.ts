import { z } from 'zod'
import { MicroUsd, Name, named, Timestamp, Uuid } from '../primitives.ts'
import { Coverage, ExecutionSettings, ModelChoice, ModelSnapshot } from '../quotes/quotes.schemas.ts'
import { runMachine } from '../runs/run.machine.ts'
import { Accounting } from '../runs/accounting.schemas.ts'
import { RunProgress } from '../runs/runs.schemas.ts'
import { ResolvedSelection, TaskSelection } from '../suites/suites.schemas.ts'

export const NewEvaluation = named('NewEvaluation', {
  name: Name,
  model: ModelChoice,
  suite_version_id: Uuid.optional().describe('A suite version of the workspace or the catalog; either this or `task_selections`.'),
  task_selections: z.array(TaskSelection).min(1).max(100).optional().describe('Exact tasks; either these or `suite_version_id`.'),
  profile_ids: z
    .array(z.string().min(1).max(300))
    .max(100)
    .default([])
    .describe('Profile to use where a source has several; default: the first runnable one.'),
  coverage: Coverage.optional().describe('Not accepted: an evaluation runs exactly the tasks selected.'),
  max_charge_microusd: MicroUsd.describe('Spending limit: most that the evaluation may charge to the wallet.'),
  execution: ExecutionSettings.default(() => ExecutionSettings.parse({})),
})

/** What an evaluation would run, without the name that it gets when it starts. */
export const EvaluationQuoteRequest = NewEvaluation.omit({ name: true }).meta({ id: 'EvaluationQuoteRequest' })

const evaluationFields = {
  id: Uuid,
  name: Name,
  status: z.enum(runMachine.states),
  run_id: Uuid.describe('Run of the evaluation; its samples, events, results and exports belong to the evaluation.'),
  suite_version_id: Uuid.nullable(),
  model: ModelSnapshot,
  sources: z.array(
    z.strictObject({
      source_ref: z.string(),
      split: z.enum(['test', 'canonical']),
      profile_id: z.string(),
      title: z.string().describe('Benchmark and profile, e.g. `GSM8K · Zero-shot`.'),
      tasks: z.int(),
    }),
  ),
  execution: ExecutionSettings,
  progress: RunProgress,
  accounting: Accounting,
  result_version: z.int().min(1).nullable().describe('Latest result version of the run, null until it has ended.'),
  stop_reason: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  created_at: Timestamp,
  started_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
}

export const EvaluationListItem = named('EvaluationListItem', evaluationFields)

export const Evaluation = named('Evaluation', { ...evaluationFields, task_selections: z.array(ResolvedSelection) })

export type NewEvaluation = z.infer<typeof NewEvaluation>
export type EvaluationQuoteRequest = z.infer<typeof EvaluationQuoteRequest>
export type Evaluation = z.infer<typeof Evaluation>
export type EvaluationListItem = z.infer<typeof EvaluationListItem>
