import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Quote, QuoteRequest, ServiceError } from '../../contract/index.ts'
import { call } from '../api/client.ts'
import { type FieldErrors, type QuoteForm, requestOfForm } from './quote-form.ts'
import { quoteQuery } from './quotes.queries.ts'
import { refusedFields } from './refused-fields.ts'

const TYPING_PAUSE_MS = 400
/** A quote lasts 30 minutes; a page that is left open gets a fresh one before. */
const FRESH_MS = 25 * 60_000

export interface LiveQuote {
  /** The last quote, also while a newer one is on its way. */
  readonly quote: Quote | undefined
  /** Whether `quote` is about the form as it is now. */
  readonly current: boolean
  /** What the form still lacks, by field. */
  readonly missing: FieldErrors
  /** What the service refused, by field. */
  readonly refused: FieldErrors
  readonly error: Error | null
  readonly retry: () => void
}

/** A quote of the form that follows every change. Quotes start nothing; the one on the page is the one that Run submits. */
export function useLiveQuote(form: QuoteForm): LiveQuote {
  const client = useQueryClient()
  const outcome = requestOfForm(form)
  const request = JSON.stringify('request' in outcome ? outcome.request : null)
  const [settled] = useDebouncedValue(request, TYPING_PAUSE_MS)
  const query = useQuery({
    queryKey: ['quotes', 'live', settled],
    queryFn: async ({ signal }) => {
      const body = QuoteRequest.parse(JSON.parse(settled))
      const quote = await call('createQuote', { body, headers: { 'idempotency-key': crypto.randomUUID() } }, { signal })
      client.setQueryData(quoteQuery(quote.id).queryKey, quote)
      return quote
    },
    enabled: settled !== 'null',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
    // The next visit asks again: a quote that was submitted is not submitted a second time by mistake.
    gcTime: 0,
  })
  const settledNow = settled === request
  const error = settledNow ? query.error : null
  return {
    quote: request === 'null' || error ? undefined : query.data,
    current: settledNow && query.data !== undefined && !query.isPlaceholderData && !query.isFetching,
    missing: 'errors' in outcome ? outcome.errors : {},
    refused: error instanceof ServiceError ? refusedFields(error) : {},
    error,
    retry: () => void query.refetch(),
  }
}
