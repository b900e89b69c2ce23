import { z } from 'zod'
import { named, page, Uuid } from '../primitives.ts'
import { TargetChoice } from '../runs/samples.schemas.ts'
import { ReleaseKey } from './suites.schemas.ts'
import { TaskSelection } from '../suites/suites.schemas.ts'

export const decisionTaskChanges = ['gained', 'lost'] as const
const Change = z
  .enum(decisionTaskChanges)
  .describe('`gained`: the candidate scores higher than the baseline by the primary metric, on the mean of the epochs. `lost`: lower.')

/** Characters of a task's, target's or answer's beginning. */
export const decisionTaskPreview = 200

const Side = z.strictObject({
  run_id: Uuid,
  sample_id: Uuid.describe('First scored sample of the task.'),
  value: z.number().describe('By the primary metric, the mean over epochs.'),
  answer: z.string().nullable().describe('Extracted answer, or else the output; at most 200 characters.'),
})

export const DecisionTask = named('ReleaseDecisionTask', {
  position: z.int().min(0).describe('Among the tasks of the decision that changed.'),
  group: z.string(),
  source_ref: z.string(),
  split: z.enum(['test', 'canonical']),
  task_id: z.string(),
  preview: z.string(),
  target: z.string().nullable().describe('First target; at most 200 characters.'),
  target_choice: TargetChoice,
  change: Change,
  candidate: Side,
  baseline: Side,
})

export const decisionTaskFilters = {
  change: Change.optional(),
  group: ReleaseKey.optional().describe('Only tasks of this group of the suite.'),
}

export const DecisionTaskPage = named('ReleaseDecisionTaskPage', {
  ...page(DecisionTask).shape,
  counts: z
    .strictObject({ compared: z.int(), gained: z.int(), lost: z.int() })
    .describe('Tasks with scores of both sides, of the group if one is named; whatever `change` is.'),
})

export const NewDecisionSelection = named('NewReleaseDecisionSelection', decisionTaskFilters)

export const DecisionSelection = named('ReleaseDecisionSelection', {
  tasks: z.int().min(1),
  task_selections: z.array(TaskSelection.omit({ coverage: true })).describe('To be sent to a suite or an evaluation as they are.'),
})

export type DecisionTask = z.infer<typeof DecisionTask>
export type DecisionTaskChange = z.infer<typeof Change>
export type DecisionTaskPage = z.infer<typeof DecisionTaskPage>
export type DecisionSelection = z.infer<typeof DecisionSelection>
