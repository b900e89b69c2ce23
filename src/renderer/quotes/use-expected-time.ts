import { useQuery } from '@tanstack/react-query'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { call } from '../api/client.ts'
import { useConnections } from '../connections/models.queries.ts'
import { type ExpectedTime, expectedTime } from './expected-time.ts'

const HISTORY = 25

/** How long the quoted run would take, from the workspace's own runs and checks. `known` is false until those are read. */
export function useExpectedTime(quote: Quote): { readonly time: ExpectedTime | null; readonly known: boolean } {
  const title = quote.model.title.slice(0, 200)
  const history = useQuery({
    queryKey: ['runs', 'of-model', title],
    queryFn: ({ signal }) => call('listRuns', { query: { q: title, archived: 'any', limit: HISTORY } }, { signal }),
  })
  const connections = useConnections()
  const connection = connections.data?.find(({ id }) => id === quote.model.connection_id)
  return { time: expectedTime(quote, history.data?.items ?? [], connection), known: !history.isPending && !connections.isPending }
}
