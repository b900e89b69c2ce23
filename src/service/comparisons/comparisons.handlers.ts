import type { comparisonsEndpoints } from '../../contract/comparisons/comparisons.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import type { Comparisons } from './comparisons.service.ts'

export function comparisonsHandlers(comparisons: Comparisons): Handlers<typeof comparisonsEndpoints> {
  return {
    listComparisons: ({ workspaceId }, { query }) => comparisons.list(workspaceId, query),
    rankModels: ({ principal, workspace, workspaceId, signal }, { body }) => {
      if (body.calibration_ids.length > 0) requireScope(principal, workspace, 'evaluators:read')
      return comparisons.rank(workspaceId, body, signal)
    },
    createComparison: ({ workspaceId }, { body }) => comparisons.create(workspaceId, body),
    getComparison: ({ workspaceId }, { params }) => comparisons.read(workspaceId, params.comparison_id),
    listComparedTasks: ({ workspaceId }, { params, query }) => comparisons.tasks(workspaceId, params.comparison_id, query),
    listMatrix: ({ workspaceId }, { params, query }) => comparisons.matrix(workspaceId, params.comparison_id, query),
    exportComparison: ({ workspaceId }, { params, query }) => comparisons.export(workspaceId, params.comparison_id, query.format),
  }
}
