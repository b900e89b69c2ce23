import type { evaluationsEndpoints } from '../../contract/evaluations/evaluations.endpoints.ts'
import type { Handlers } from '../http/handler.ts'
import type { Evaluations } from './evaluations.service.ts'

export function evaluationsHandlers(evaluations: Evaluations): Handlers<typeof evaluationsEndpoints> {
  return {
    createEvaluation: async ({ workspaceId, principal, idempotencyKey, markReplayed }, { body }) => {
      const { evaluation, isNew } = await evaluations.create({
        workspaceId,
        principalId: principal.id,
        scope: 'evaluations:write',
        operationKey: idempotencyKey,
        body,
      })
      if (!isNew) markReplayed()
      return evaluation
    },
    quoteEvaluation: ({ workspaceId }, { body }) => evaluations.quote(workspaceId, body),
    listEvaluations: ({ workspaceId }, { query }) => evaluations.list(workspaceId, query),
    getEvaluation: ({ workspaceId }, { params }) => evaluations.read(workspaceId, params.evaluation_id),
    cancelEvaluation: ({ workspaceId }, { params }) => evaluations.cancel(workspaceId, params.evaluation_id),
  }
}
