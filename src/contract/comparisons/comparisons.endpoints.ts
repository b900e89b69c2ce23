import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { filingQuery } from '../items/items.schemas.ts'
import { namesWholePart, page, paging, partLimits, Uuid } from '../primitives.ts'
import { ModelRanking, NewRanking } from './rankings.schemas.ts'
import { MatrixPage, matrixQuery } from './matrix.schemas.ts'
import { ComparedTask, Comparison, ComparisonListItem, NewComparison, TaskChange } from './comparisons.schemas.ts'

const params = z.strictObject({ comparison_id: Uuid })

export const comparisonsEndpoints = endpoints('Comparisons', {
  listComparisons: {
    route: 'GET /v1/comparisons',
    summary: 'List comparisons',
    description: 'Newest first.',
    scope: 'comparisons:read',
    query: z.strictObject({
      ...paging(25),
      ...filingQuery,
      run_id: Uuid.optional().describe('Only comparisons that include this run or evaluation.'),
      q: z
        .string()
        .max(200)
        .default('')
        .describe('Words, "phrases" and -exclusions in any order, in a comparison name, run name or model.'),
    }),
    response: page(ComparisonListItem),
    errors: ['invalid_cursor'],
  },
  rankModels: {
    route: 'POST /v1/comparisons/rank',
    summary: 'Rank models by their battles',
    description:
      'Bradley-Terry or Elo ratings of models from pairwise preferences, ties as half a win, with intervals of the bootstrap over battles. Nothing is stored. 422 where no finite ratings exist, such as for a model that won every battle.',
    scope: 'comparisons:read',
    computes: true,
    // Parsed by the service's own thread: with room for the most battles under long names.
    maxBody: 6 * 1024 * 1024,
    body: NewRanking,
    response: ModelRanking,
  },
  createComparison: {
    route: 'POST /v1/comparisons',
    summary: 'Compare ended runs and evaluations',
    description:
      'First checks comparability: differences that would mislead are refused and listed in `detail`; minor ones become cautions. ' +
      'Then aligns the runs by source, task and epoch and computes paired differences. Comparisons are immutable: a later result version requires a new comparison.',
    scope: 'comparisons:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    body: NewComparison,
    response: Comparison,
    errors: ['not_found', 'result_not_ready'],
  },
  getComparison: {
    route: 'GET /v1/comparisons/{comparison_id}',
    summary: 'Read a comparison',
    description: 'Paired differences with intervals, tests and verdicts. It never changes.',
    scope: 'comparisons:read',
    params,
    response: Comparison,
  },
  listComparedTasks: {
    route: 'GET /v1/comparisons/{comparison_id}/tasks',
    summary: 'List aligned tasks with each run’s outcome',
    description: 'In the order of the baseline’s samples, followed by tasks that only a contender has.',
    scope: 'comparisons:read',
    params,
    query: z
      .strictObject({
        ...paging(),
        contender_id: Uuid.optional().describe('Contender that `change` refers to; the first one when absent.'),
        change: TaskChange.optional(),
        profile: z.string().max(300).optional().describe('The baseline’s profile.'),
        capability: z.string().max(200).optional(),
        breakdown: z.string().max(partLimits.dimension).optional().describe('Dimension of the breakdowns; only with `breakdown_value`.'),
        breakdown_value: z.string().max(partLimits.value).optional().describe('Tasks with this value in the dimension `breakdown`.'),
        q: z.string().max(200).default('').describe('Part of a task id or of its preview.'),
      })
      .refine(...namesWholePart),
    response: page(ComparedTask),
    errors: ['invalid_cursor'],
  },
  listMatrix: {
    route: 'GET /v1/comparisons/{comparison_id}/matrix',
    summary: 'List tasks with each run’s answer and verdict',
    description:
      'A row for each task, a cell for each run, as in the compared result versions. Filters combine; texts are cut to previews.',
    scope: 'runs:read',
    params,
    query: matrixQuery,
    response: MatrixPage,
    errors: ['invalid_cursor'],
  },
  exportComparison: {
    route: 'GET /v1/comparisons/{comparison_id}/export',
    summary: 'Export a comparison',
    description: 'The output is byte-for-byte reproducible. CSV has one row per aligned task; HTML is one self-contained file.',
    scope: 'comparisons:read',
    kind: 'file',
    files: ['application/json', 'text/csv', 'text/html'],
    fileExamples: { 'text/csv': 'position,source_ref,profile_id,metric,task_id,value.Model A,status.Model A,sample.Model A' },
    params,
    query: z.strictObject({ format: z.enum(['json', 'csv', 'html']).default('json') }),
  },
})
