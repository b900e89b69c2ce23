import { ServiceError } from '../../contract/client.ts'
import type { QuoteRequest } from '../../contract/quotes/quotes.schemas.ts'
import { type RunGroupQuote, RunGroupQuoteRequest } from '../../contract/run-groups/run-groups.schemas.ts'
import { call } from '../api/client.ts'
import { type FieldErrors, modelChoice, type QuoteForm, requestOfForm } from './quote-form.ts'
import { refusedFields } from './refused-fields.ts'
import { type Requested, useRequested } from './use-requested-quote.ts'

export interface GroupQuote extends Requested<RunGroupQuote> {
  /** Undefined while the form lacks something. */
  readonly request: RunGroupQuoteRequest | undefined
  /** What the form still lacks, by field. */
  readonly missing: FieldErrors
  /** What the service refused, by field. */
  readonly refused: FieldErrors
}

/** The form as of the first model that a provider bills, if any: only those have a provider spending limit. */
export function leadForm(form: QuoteForm, others: readonly string[]): QuoteForm {
  return { ...form, model: [form.model, ...others].find(value => value?.startsWith('connection:')) ?? form.model }
}

/** One quote of the form for several models that follows every change; none is requested while there is only one. */
export function useGroupQuote(form: QuoteForm, others: readonly string[]): GroupQuote {
  const outcome = requestOfForm(form.model === null ? form : leadForm(form, others))
  const request = others.length > 0 && 'request' in outcome ? groupRequest(outcome.request, [form.model, ...others]) : undefined
  const requested = useRequested(request ?? null, (body, headers, signal) =>
    call('quoteRunGroup', { body: RunGroupQuoteRequest.parse(body), headers }, { signal }),
  )
  return {
    ...requested,
    request,
    missing: 'errors' in outcome ? outcome.errors : {},
    refused: requested.error instanceof ServiceError ? refusedFields(requested.error) : {},
  }
}

function groupRequest({ model: _lead, ...terms }: QuoteRequest, values: readonly (string | null)[]): RunGroupQuoteRequest {
  return { ...terms, models: values.flatMap(value => modelChoice(value) ?? []) }
}
