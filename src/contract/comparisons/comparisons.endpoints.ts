import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { ComparedTask, Comparison, ComparisonListItem, NewComparison, TaskChange } from './comparisons.schemas.ts'

const tag = 'Comparisons'
const params = z.strictObject({ comparison_id: Uuid })

export const comparisonsEndpoints = endpoints({
  listComparisons: {
    method: 'GET',
    path: '/v1/comparisons',
    tag,
    summary: 'List comparisons',
    scope: 'comparisons:read',
    status: 200,
    kind: 'json',
    query: z.strictObject({
      ...paging(25),
      run_id: Uuid.optional().describe('Only comparisons that hold this run or evaluation.'),
      q: z.string().max(200).default('').describe('Part of a name, of a run’s name or of a model.'),
    }),
    response: page(ComparisonListItem),
    errors: ['invalid_cursor'],
  },
  createComparison: {
    method: 'POST',
    path: '/v1/comparisons',
    tag,
    summary: 'Compare ended runs and evaluations',
    description:
      'Checks first whether they can be compared at all: what would mislead is refused with each difference named in `detail`, what only weakens is a caution. ' +
      'Then aligns them by source, task and epoch and computes paired differences. Stored and never changed: a later result version needs a new comparison.',
    scope: 'comparisons:write',
    status: 201,
    kind: 'json',
    idempotent: 'stored',
    body: NewComparison,
    response: Comparison,
    errors: ['not_found', 'result_not_ready'],
  },
  getComparison: {
    method: 'GET',
    path: '/v1/comparisons/{comparison_id}',
    tag,
    summary: 'Read a comparison',
    scope: 'comparisons:read',
    status: 200,
    kind: 'json',
    params,
    response: Comparison,
    errors: ['not_found'],
  },
  listComparedTasks: {
    method: 'GET',
    path: '/v1/comparisons/{comparison_id}/tasks',
    tag,
    summary: 'List aligned tasks with the outcome of each run',
    description: 'In the order of the baseline’s samples, then those that only a contender has.',
    scope: 'comparisons:read',
    status: 200,
    kind: 'json',
    params,
    query: z.strictObject({
      ...paging(),
      contender_id: Uuid.optional().describe('Whose change `change` filters by; the first contender when absent.'),
      change: TaskChange.optional(),
      profile: z.string().max(300).optional().describe('The baseline’s profile.'),
      capability: z.string().max(200).optional(),
      q: z.string().max(200).default('').describe('Part of a task id or of its preview.'),
    }),
    response: page(ComparedTask),
    errors: ['not_found', 'invalid_cursor'],
  },
  exportComparison: {
    method: 'GET',
    path: '/v1/comparisons/{comparison_id}/export',
    tag,
    summary: 'Export a comparison',
    description: 'Each format gives the same bytes every time. CSV has one row per aligned task; HTML is one self-contained file.',
    scope: 'comparisons:read',
    status: 200,
    kind: 'file',
    files: ['application/json', 'text/csv', 'text/html'],
    params,
    query: z.strictObject({ format: z.enum(['json', 'csv', 'html']).default('json') }),
    errors: ['not_found'],
  },
})
