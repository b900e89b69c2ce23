import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { BenchmarkDetail } from '../../contract/catalog/benchmarks.schemas.ts'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { call } from '../api/client.ts'
import { useIdempotencyKey } from '../api/idempotency.ts'

const A_MINUTE_MS = 60_000

export const quoteQuery = (quoteId: string) =>
  queryOptions({
    queryKey: ['quotes', 'one', quoteId],
    queryFn: ({ signal }) => call('getQuote', { params: { quote_id: quoteId } }, { signal }),
  })

/** @param from Name of the form, so that each has its own idempotency key. */
export function useCreateQuote(from: string) {
  const client = useQueryClient()
  const key = useIdempotencyKey(`quote.${from}`)
  return useMutation({
    mutationFn: (request: QuoteRequest) => call('createQuote', { body: request, headers: key.headersFor(request) }),
    onSuccess: quote => {
      key.done()
      client.setQueryData(quoteQuery(quote.id).queryKey, quote)
    },
  })
}

export function useExecutionOptions() {
  return useQuery({
    queryKey: ['quotes', 'execution-options'],
    queryFn: ({ signal }) => call('getExecutionOptions', {}, { signal }),
    staleTime: A_MINUTE_MS,
  })
}

/** Benchmarks with their profiles, as far as they have arrived, in the order of `slugs`. Shared with the catalog's pages. */
export function useBenchmarkDetails(slugs: readonly string[]): readonly BenchmarkDetail[] {
  return useQueries({
    queries: slugs.map(slug => ({
      queryKey: ['catalog', 'benchmark', slug],
      queryFn: ({ signal }: { signal: AbortSignal }) => call('getBenchmark', { params: { slug } }, { signal }),
      staleTime: A_MINUTE_MS,
    })),
    combine: results => results.flatMap(result => (result.data ? [result.data] : [])),
  })
}
