import './quotes.css'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { NewQuoteForm } from './new-quote-form.tsx'
import { newRun } from './new-run.ts'
import { emptyForm, formOfQuote, type QuoteForm } from './quote-form.ts'
import { quoteQuery } from './quotes.queries.ts'

/**
 * `?profile=` (any number of times) and `?route=` or `?connection=` fill the form in; `?from=` takes it over from a saved quote,
 * with `&model=other` all but the model. What was filled in before stays where the address names no other benchmark; of a quote, where
 * a person comes back to the same entry of the history.
 */
export function NewQuotePage() {
  const [params] = useSearchParams()
  const from = params.get('from')
  return (
    <Page>
      <PageHeader title="New run" description="Choose a model, benchmarks and a sample size. Nothing starts before you press Run." />
      {from ? (
        <FormFromQuote key={params.toString()} quoteId={from} sameModel={params.get('model') !== 'other'} />
      ) : (
        <NewQuoteForm key={params.toString()} place={newRun} initial={emptyForm} named={namedBy(params)} />
      )}
    </Page>
  )
}

function FormFromQuote({ quoteId, sameModel }: { readonly quoteId: string; readonly sameModel: boolean }) {
  const query = useQuery(quoteQuery(quoteId))
  const { key } = useLocation()
  return (
    <QueryView query={query} failure="Couldn’t load the quote to start from">
      {quote => (
        <NewQuoteForm place={`${newRun}.${key}`} initial={sameModel ? formOfQuote(quote) : { ...formOfQuote(quote), model: null }} />
      )}
    </QueryView>
  )
}

function namedBy(params: URLSearchParams): Partial<QuoteForm> {
  const model = modelOf(params)
  const profileIds = params.getAll('profile')
  return { ...(model !== null && { model }), ...(profileIds.length > 0 && { profileIds }) }
}

function modelOf(params: URLSearchParams): string | null {
  const route = params.get('route')
  const connection = params.get('connection')
  if (route) return `managed:${route}`
  return connection ? `connection:${connection}` : null
}
