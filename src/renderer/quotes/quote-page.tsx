import './quotes.css'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { Link, useParams } from 'react-router'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useNow } from '../ui/values/use-now.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { QuoteChecks } from './quote-checks.tsx'
import { QuoteCost } from './quote-cost.tsx'
import { QuoteExpiry } from './quote-expiry.tsx'
import { QuoteSelection } from './quote-selection.tsx'
import { QuoteStatistics } from './quote-statistics.tsx'
import { QuoteWarnings } from './quote-warnings.tsx'
import { SubmitPanel } from './submit-panel.tsx'
import { quoteQuery } from './quotes.queries.ts'

export function QuotePage() {
  const { quoteId = '' } = useParams()
  const query = useQuery(quoteQuery(quoteId))
  return (
    <Page>
      {query.isError && !query.data ? <PageHeader title="Quote" parent={{ title: 'New run', to: '/quotes/new' }} /> : null}
      <QueryView query={query} failure="Couldn’t load the quote">
        {quote => <FullQuote quote={quote} />}
      </QueryView>
    </Page>
  )
}

function FullQuote({ quote }: { readonly quote: Quote }) {
  const now = useNow(1000)
  const expired = quote.status === 'expired' || Date.parse(quote.expires_at) <= now
  return (
    <>
      <PageHeader
        title="Quote"
        parent={{ title: 'New run', to: '/quotes/new' }}
        aside={<QuoteExpiry quote={quote} now={now} />}
        description={
          <>
            <UntrustedText text={quote.model.title} layout="prose" />
            {quote.model.is_model ? null : ' (not a model)'} on{' '}
            <UntrustedText text={quote.profiles.map(profileName).join(', ')} layout="prose" />
          </>
        }
        actions={
          <>
            <RequestMenu operation="getQuote" request={{ params: { quote_id: quote.id } }} />
            <Button component={Link} to={`/quotes/new?from=${quote.id}`} variant="default">
              Change selection
            </Button>
          </>
        }
      />
      <div className="quotes-form">
        <div className="quotes-fields">
          <QuoteChecks quote={quote} />
          <QuoteWarnings quote={quote} />
          <QuoteSelection quote={quote} />
          <Section title="Cost by component">
            <QuoteCost quote={quote} />
          </Section>
          <Section title="What a run of this size can tell">
            <QuoteStatistics quote={quote} />
          </Section>
        </div>
        <aside className="quotes-aside" aria-label="Submit">
          <SubmitPanel quote={quote} expired={expired} />
        </aside>
      </div>
    </>
  )
}
