import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ServiceError } from '../../contract/client.ts'
import { UNREACHABLE } from './client.ts'

export const ME = ['me'] as const

/** A refusal stays a refusal; only a missing or failing service is worth asking again. */
function retry(failures: number, error: Error): boolean {
  if (!(error instanceof ServiceError)) return false
  return failures < 2 && (error.code === UNREACHABLE || error.status === 503)
}

export function createQueryClient(): QueryClient {
  const onError = (error: Error): void => {
    // A session that ended shows the sign-in page, whichever request noticed it first. Without one there is nothing to end.
    const ended = error instanceof ServiceError && error.status === 401 && client.getQueryData(ME) !== undefined
    if (ended) void client.invalidateQueries({ queryKey: ME })
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => (query.queryKey[0] === ME[0] ? undefined : onError(error)) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The service is on this machine: the browser's idea of being online does not matter.
      queries: { networkMode: 'always', staleTime: 5_000, retry, retryDelay: attempt => 300 * 2 ** attempt },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return client
}
