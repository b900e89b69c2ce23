import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { ErrorState } from '../ui/states/error-state.tsx'
import { formOfQuote, requestOfForm } from './quote-form.ts'
import { useCreateQuote } from './quotes.queries.ts'

/** Asks for the same selection at today's prices and availability. */
export function QuoteAgain({ quote }: { readonly quote: Quote }) {
  const navigate = useNavigate()
  const create = useCreateQuote(`again.${quote.id}`)
  const outcome = requestOfForm(formOfQuote(quote))
  return (
    <div className="stack">
      <p className="quotes-note">
        This quote has expired: prices and availability may have changed. Request a new one with the same selection.
      </p>
      <Button
        loading={create.isPending}
        disabled={!('request' in outcome)}
        onClick={() => {
          if ('request' in outcome) create.mutate(outcome.request, { onSuccess: fresh => void navigate(`/quotes/${fresh.id}`) })
        }}
      >
        Quote again
      </Button>
      {create.isError ? <ErrorState error={create.error} title="Couldn’t create a new quote" /> : null}
    </div>
  )
}
