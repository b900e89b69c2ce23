import type { matchingRunsEndpoints } from '../../contract/items/matching-runs.endpoints.ts'
import { requireScope } from '../auth/index.ts'
import type { Handlers } from '../http/handler.ts'
import { createRunsChange } from './change-runs.ts'

export function matchingRunsHandlers(...dependencies: Parameters<typeof createRunsChange>): Handlers<typeof matchingRunsEndpoints> {
  const change = createRunsChange(...dependencies)
  return {
    changeRuns: (asker, { body }) => {
      // How many match says what they are.
      if (body.filter) requireScope(asker.principal, asker.workspace, 'runs:read')
      return change(asker, body)
    },
  }
}
