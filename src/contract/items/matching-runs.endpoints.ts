import { endpoints } from '../endpoint.ts'
import { RunsChange, RunsChanged } from './matching-runs.schemas.ts'

export const matchingRunsEndpoints = endpoints('Runs', {
  changeRuns: {
    route: 'PATCH /v1/runs',
    summary: 'Archive, tag, move or delete many runs',
    description:
      'Those named, or all that a filter matches. Refused with `conflict` if the filter matches another number of runs than `expected`. A run that may not be changed stays as it is and is named; the others are changed. A filter also needs the scope runs:read.',
    scope: 'runs:write',
    body: RunsChange,
    response: RunsChanged,
    errors: ['not_found', 'conflict', 'missing_scope'],
  },
})
