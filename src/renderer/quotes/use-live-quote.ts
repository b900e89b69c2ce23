import { ServiceError } from '../../contract/client.ts'
import { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { call } from '../api/client.ts'
import { type FieldErrors, type QuoteForm, requestOfForm } from './quote-form.ts'
import { refusedFields } from './refused-fields.ts'
import { type RequestedQuote, useRequestedQuote } from './use-requested-quote.ts'

export interface LiveQuote extends RequestedQuote {
  /** What the form still lacks, by field. */
  readonly missing: FieldErrors
  /** What the service refused, by field. */
  readonly refused: FieldErrors
}

/**
 * A quote of the form that follows every change. Quotes start nothing; the one on the page is the one that Run submits.
 * @param enabled false where no quote is needed, such as for several models
 */
export function useLiveQuote(form: QuoteForm, enabled = true): LiveQuote {
  const outcome = requestOfForm(form)
  const requested = useRequestedQuote(enabled && 'request' in outcome ? outcome.request : null, (request, headers, signal) =>
    call('createQuote', { body: QuoteRequest.parse(request), headers }, { signal }),
  )
  return {
    ...requested,
    missing: 'errors' in outcome ? outcome.errors : {},
    refused: requested.error instanceof ServiceError ? refusedFields(requested.error) : {},
  }
}
