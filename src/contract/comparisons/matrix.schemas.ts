import { z } from 'zod'
import { named, page, paging, textMatches, textSearch, Uuid } from '../primitives.ts'
import { outcomeCodes, type SampleVerdict, TargetChoice } from '../runs/samples.schemas.ts'

/** Verdicts of runs that have ended. */
export const matrixVerdicts = ['correct', 'wrong', 'partial', 'unscored', 'failed', 'missing'] as const satisfies readonly SampleVerdict[]
export type MatrixVerdict = (typeof matrixVerdicts)[number]

/** Characters of a target or an answer that a cell shows. */
export const matrixPreview = 200

const MatrixCell = named('MatrixCell', {
  run_id: Uuid.describe('Matches `runs[].id` of the comparison.'),
  sample_id: Uuid.nullable().describe('Sample of the first epoch; null if the task is not in the run.'),
  verdict: z
    .enum(matrixVerdicts)
    .nullable()
    .describe('By the mean of the primary metric over the scored epochs; null if the task is not in the run.'),
  value: z.number().nullable().describe('That mean.'),
  answer: z
    .string()
    .nullable()
    .describe(`What was extracted from the output of the first epoch, at most ${matrixPreview} characters; null if nothing was.`),
  output_preview: z.string().nullable().describe('First characters of that output.'),
})

export const MatrixRow = named('MatrixRow', {
  position: z.int().min(0).describe('Position of the task in the comparison.'),
  profile_id: z.string().describe('The baseline’s profile.'),
  metric: z.string().describe('Primary metric, by which the cells are judged.'),
  task_id: z.string(),
  preview: z.string().describe('First characters of the task’s input.'),
  target_preview: z.string().nullable().describe(`First ${matrixPreview} characters of the first target; null if the task has none.`),
  target_choice: TargetChoice,
  cells: z.array(MatrixCell).describe('In the order of the comparison’s runs.'),
})

/** Letters of the verdicts in a pattern, in the order of `matrixVerdicts`. */
const letters = matrixVerdicts.map(verdict => outcomeCodes[verdict]).join('')

export const matrixQuery = z.strictObject({
  ...paging(),
  offset: z.int().min(0).default(0).describe('Matching tasks to skip. Only without a cursor.'),
  locate: z.int().min(0).optional().describe('Position of a task whose place among the matching ones is wanted, as `located_at`.'),
  agreement: z
    .enum(['same', 'different'])
    .optional()
    .describe('Whether the runs that have a score of the task all have the same one. Tasks with fewer than two scores are in neither.'),
  verdict: z.enum(matrixVerdicts).optional().describe('Tasks with this verdict in at least one run.'),
  pattern: z
    .string()
    .regex(new RegExp(`^[${letters}.]{2,10}$`), `must be one letter for each run, of ${[...letters].join(', ')}, or . for any`)
    .optional()
    .describe(
      'One letter for each run in the order of the comparison: c correct, w wrong, p partial, u unscored, f failed, m not run, `.` any. `cw.`: the first run is correct and the second is wrong.',
    ),
  profile: z.string().max(300).optional().describe('The baseline’s profile.'),
  q: z.string().max(200).default('').describe(`${textSearch} In the task or in what any of the runs made of it, as in a run’s samples.`),
  match: z
    .enum(textMatches)
    .default('words')
    .describe('`exact`: `q` is found as it is, case included. `words`: as words, phrases and exclusions.'),
})

export const MatrixPage = z.strictObject({
  ...page(MatrixRow).shape,
  total: z.int().min(0).describe('Tasks that match.'),
  located_at: z.int().min(0).nullable().describe('The `offset` of the task `locate`; null if it does not match, or without `locate`.'),
})

export type MatrixRow = z.infer<typeof MatrixRow>
export type MatrixPage = z.infer<typeof MatrixPage>
export type MatrixQuery = z.infer<typeof matrixQuery>
