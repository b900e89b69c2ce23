import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { TuneQuote } from '../../contract/tuning/quotes.schemas.ts'
import type { TuneSession } from '../../contract/tuning/sessions.schemas.ts'
import { FailureMessage } from '../ui/page/failure-message.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { GroupTermsFields } from './group-terms-fields.tsx'
import { termsOf, useGroupTerms } from './group-terms.ts'
import { QuoteView } from './quote-view.tsx'
import { quoteQuery, useQuote } from './tuning-groups.queries.ts'

/** From candidates to a quote to its start. After a group has ended the form holds the candidates of the last one. */
export function QuoteGroup({ session }: { readonly session: TuneSession }) {
  const { quote_id: quoteId } = session
  return quoteId === null ? <QuoteForm session={session} /> : <Quoted session={session} quoteId={quoteId} />
}

function Quoted({ session, quoteId }: { readonly session: TuneSession; readonly quoteId: string }) {
  const query = useQuery(quoteQuery(session.id, quoteId))
  return (
    <QueryView query={query} failure="Couldn’t load the quote">
      {quote => (
        <>
          {session.status === 'quoted' ? (
            <Section title="Quote">
              <QuoteView session={session} quote={quote} />
            </Section>
          ) : null}
          <QuoteForm key={quote.id} session={session} earlier={quote} />
        </>
      )}
    </QueryView>
  )
}

function QuoteForm({ session, earlier }: { readonly session: TuneSession; readonly earlier?: TuneQuote }) {
  const { call } = session.draft
  const quote = useQuote(session.id)
  const [terms, setTerms] = useGroupTerms(earlier)
  const [missing, setMissing] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = termsOf(terms, call)
    if (typeof body === 'string') return setMissing(body)
    setMissing(null)
    quote.mutate(body)
  }
  return (
    <Section title={earlier ? 'Quote again' : 'Candidates'}>
      <form className="stack" onSubmit={submit} noValidate>
        <p className="quotes-note">Each candidate is compared with the current call, case by case. The current call is added by itself.</p>
        <GroupTermsFields call={call} value={terms} onChange={setTerms} />
        {missing === null ? null : <output className="quotes-error">{missing}</output>}
        {quote.isError ? <FailureMessage title="Couldn’t quote the candidates" error={quote.error} /> : null}
        <div className="row">
          <Button type="submit" variant={session.status === 'quoted' ? 'default' : 'filled'} loading={quote.isPending}>
            Get quote
          </Button>
        </div>
      </form>
    </Section>
  )
}
