import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { quoteQuery } from './quotes.queries.ts'

const TYPING_PAUSE_MS = 400
/** A quote lasts 30 minutes; a page that is left open gets a fresh one before. */
const FRESH_MS = 25 * 60_000

export interface Requested<Made> {
  /** The last quote, also while a newer one is on its way. */
  readonly quote: Made | undefined
  /** Whether `quote` is about the form as it is now. */
  readonly current: boolean
  readonly error: Error | null
  readonly retry: () => void
}

export type RequestedQuote = Requested<Quote>

type Create<Made> = (request: unknown, headers: { readonly 'idempotency-key': string }, signal: AbortSignal) => Promise<Made>

/**
 * A quote that follows every change of a request, once typing pauses.
 * @param request null while the form lacks something
 */
export function useRequestedQuote(request: object | null, create: Create<Quote>): RequestedQuote {
  const client = useQueryClient()
  return useRequested(request, async (...asked) => {
    const quote = await create(...asked)
    client.setQueryData(quoteQuery(quote.id).queryKey, quote)
    return quote
  })
}

/** As `useRequestedQuote`, for a quote of any kind. */
export function useRequested<Made>(request: object | null, create: Create<Made>): Requested<Made> {
  const text = JSON.stringify(request)
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS)
  const query = useQuery({
    queryKey: ['quotes', 'live', settled],
    queryFn: ({ signal }) => create(JSON.parse(settled), { 'idempotency-key': crypto.randomUUID() }, signal),
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    // The next visit asks again: a quote that was submitted is not submitted a second time by mistake.
    gcTime: 0,
  })
  const settledNow = settled === text
  const error = settledNow ? query.error : null
  return {
    quote: text === 'null' || error ? undefined : query.data,
    current: settledNow && query.data !== undefined && !query.isPlaceholderData && !query.isFetching,
    error,
    retry: () => void query.refetch(),
  }
}
