import { z } from 'zod'
import { endpoints } from '../endpoint.ts'
import { page, paging, Uuid } from '../primitives.ts'
import { Quote } from '../quotes/quotes.schemas.ts'
import { runMachine } from '../runs/run.machine.ts'
import { Evaluation, EvaluationListItem, EvaluationQuoteRequest, NewEvaluation } from './evaluations.schemas.ts'

const params = z.strictObject({ evaluation_id: Uuid })
const preview = 'Preview capability.'

export const evaluationsEndpoints = endpoints('Evaluations', {
  createEvaluation: {
    route: 'POST /v1/evaluations',
    summary: 'Run exactly the tasks of a suite or selection',
    description:
      `Checks compatibility, sets the money aside and starts. The same Idempotency-Key always gives the same evaluation, so a lost response is recovered by sending it again. ` +
      `A task that is not available is refused by name; nothing falls back to sampling. ${preview}`,
    scope: 'evaluations:write',
    status: 202,
    computes: true,
    headers: { 'idempotency-key': { required: false, description: 'Operation key, persisted by the client before submission.' } },
    idempotent: 'stored',
    maxBody: 16 * 1024 * 1024,
    body: NewEvaluation,
    response: Evaluation,
    errors: ['not_found', 'task_unavailable', 'quote_incompatible', 'insufficient_credit', 'spend_ceiling_reached'],
  },
  quoteEvaluation: {
    route: 'POST /v1/evaluations/quotes',
    summary: 'Check compatibility and cost of an evaluation',
    description: `Starts no paid work. \`createEvaluation\` takes the same body with a name, and checks it again. ${preview}`,
    scope: 'quotes:write',
    status: 201,
    computes: true,
    idempotent: 'stored',
    maxBody: 16 * 1024 * 1024,
    body: EvaluationQuoteRequest,
    response: Quote,
    errors: ['not_found', 'task_unavailable'],
  },
  listEvaluations: {
    route: 'GET /v1/evaluations',
    summary: 'List evaluations',
    description: preview,
    scope: 'evaluations:read',
    query: z.strictObject({
      ...paging(),
      status: z.enum(runMachine.states).optional(),
      suite_version_id: Uuid.optional(),
      q: z.string().max(200).default('').describe('Words, "phrases" and -exclusions in any order, in a name, model or benchmark.'),
    }),
    response: page(EvaluationListItem),
    errors: ['invalid_cursor'],
  },
  getEvaluation: {
    route: 'GET /v1/evaluations/{evaluation_id}',
    summary: 'Read status, progress and accounting of an evaluation',
    description: preview,
    scope: 'evaluations:read',
    params,
    response: Evaluation,
  },
  cancelEvaluation: {
    route: 'POST /v1/evaluations/{evaluation_id}/cancel',
    summary: 'Request cancellation of an evaluation',
    description: `A request, not proof that work has stopped. Repeating it is safe. ${preview}`,
    scope: 'evaluations:write',
    status: 202,
    params,
    response: Evaluation,
    errors: ['illegal_transition'],
  },
})
