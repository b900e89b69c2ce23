import { queryOptions, skipToken } from '@tanstack/react-query'
import type { RecommendationRequest } from '../../contract/recommendations/recommendations.schemas.ts'
import { call } from '../api/client.ts'

/** The same catalog and history give the same answer; an explicit refresh may use newer ones. */
export const recommendationQuery = (request: RecommendationRequest | null) =>
  queryOptions({
    queryKey: ['recommendation', request],
    queryFn: request === null ? skipToken : ({ signal }) => call('recommendTasks', { body: request }, { signal }),
    staleTime: 60_000,
  })
