import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { call } from '../api/client.ts'
import { Messages } from '../samples/messages.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { profileNames } from './profile-name.ts'
import '../samples/samples.css'

/** The first prompt of each profile, exactly as the model would receive it. */
export function ExamplePrompts({ quote }: { readonly quote: Quote }) {
  const [chosen, choose] = useState<string | null>(null)
  const query = useQuery({
    queryKey: ['quotes', 'examples', quote.id],
    queryFn: ({ signal }) => call('getQuoteExamples', { params: { quote_id: quote.id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const nameOf = profileNames(quote.profiles)
  const items = query.data?.items ?? []
  const shown = items.find(item => item.profile_id === chosen) ?? items[0]
  return (
    <Section
      title="Example prompt"
      aside={
        items.length > 1 ? (
          <Select
            aria-label="Profile of the example"
            size="xs"
            w={280}
            data={items.map(item => ({ value: item.profile_id, label: nameOf(item.profile_id) }))}
            value={shown?.profile_id ?? null}
            onChange={choose}
          />
        ) : null
      }
    >
      <QueryView query={query} failure="Couldn’t load the example prompt">
        {() => (
          <div className="quotes-example">
            <Messages messages={shown?.messages ?? []} />
          </div>
        )}
      </QueryView>
    </Section>
  )
}
