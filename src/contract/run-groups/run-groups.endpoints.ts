import { z } from 'zod'
import { Comparison } from '../comparisons/comparisons.schemas.ts'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { NewRunGroup, RunGroup, RunGroupListItem, RunGroupQuote, RunGroupQuoteRequest } from './run-groups.schemas.ts'

const params = z.strictObject({ run_group_id: Uuid })

/** Several models on the same tasks: quoted, limited, followed, cancelled and compared together. Each run stays a run like any other. */
export const runGroupsEndpoints = endpoints('Run groups', {
  quoteRunGroup: {
    route: 'POST /v1/run-groups/quotes',
    summary: 'Check compatibility and cost of several models on the same tasks',
    description: 'Starts no paid work. Creates a quote for each model; limits are those of the whole group.',
    scope: 'quotes:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    body: RunGroupQuoteRequest,
    response: RunGroupQuote,
    errors: ['not_found', 'exact_task_suite', 'task_unavailable'],
  },
  createRunGroup: {
    route: 'POST /v1/run-groups',
    summary: 'Submit several reviewed quotes as one group',
    description:
      'Starts a run for each quote, or none if one is refused. Each run gets a share of the group’s spending limits in proportion to the upper bound of its quote, so that together they keep within them.',
    scope: 'runs:write',
    status: 202,
    idempotent: 'stored',
    body: NewRunGroup,
    response: RunGroup,
    errors: ['not_found', 'quote_expired', 'quote_incompatible', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  listRunGroups: {
    route: 'GET /v1/run-groups',
    summary: 'List run groups',
    description: 'Newest first.',
    scope: 'runs:read',
    query: z.strictObject({ ...paging(), run_id: Uuid.optional().describe('Only the group that this run belongs to.') }),
    response: page(RunGroupListItem),
    errors: ['invalid_cursor'],
  },
  getRunGroup: {
    route: 'GET /v1/run-groups/{run_group_id}',
    summary: 'Read progress, scores and accounting of a run group',
    description: 'One entry for each run. Raising the limit of one run raises that of the group.',
    scope: 'runs:read',
    params,
    response: RunGroup,
  },
  cancelRunGroup: {
    route: 'POST /v1/run-groups/{run_group_id}/cancel',
    summary: 'Request cancellation of every run of a group that has not ended',
    description: 'A request, not proof that work has stopped. Repeating it while runs are cancelling is safe.',
    scope: 'runs:write',
    status: 202,
    params,
    response: RunGroup,
    errors: ['illegal_transition'],
  },
  compareRunGroup: {
    route: 'POST /v1/run-groups/{run_group_id}/comparison',
    summary: 'Compare the ended runs of a group',
    description:
      'The first run is the baseline; runs without a result are left out. Repeating it returns the same comparison until a run gets a new result version.',
    scope: 'comparisons:write',
    computes: true,
    params,
    response: Comparison,
    errors: ['result_not_ready'],
  },
})
