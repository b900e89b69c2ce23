import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { paging, Uuid } from '../primitives.ts'
import { DecisionSelection, DecisionTaskPage, decisionTaskFilters, NewDecisionSelection } from './decision-tasks.schemas.ts'

const params = z.strictObject({ decision_id: Uuid })

export const decisionTasksEndpoints = endpoints('Releases', {
  listDecisionTasks: {
    route: 'GET /v1/releases/decisions/{decision_id}/tasks',
    summary: 'List the tasks that a release decision gains or loses',
    description:
      'Tasks that the candidate and the baseline score differently, with both answers, in the order of the suite. Both sides are read at the result versions of the latest analysis; empty before it and without a baseline.',
    scope: 'releases:read',
    computes: true,
    params,
    query: z.strictObject({ ...paging(), ...decisionTaskFilters }),
    response: DecisionTaskPage,
    errors: ['invalid_cursor'],
  },
  selectDecisionTasks: {
    route: 'POST /v1/releases/decisions/{decision_id}/selection',
    summary: 'Select the tasks that a release decision gains or loses',
    description:
      'Exact tasks for a suite or an evaluation; starts nothing. The selection is remembered: a result of either side’s model on these tasks carries `selected_on_own_results` and is no score.',
    scope: 'releases:read',
    computes: true,
    params,
    body: NewDecisionSelection,
    response: DecisionSelection,
    errors: ['conflict'],
  },
})
