import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { NewSchedulePage } from '../../../../src/renderer/schedules/new-schedule-page.tsx'
import { sourceQuery } from '../../../../src/renderer/schedules/schedules.queries.ts'
import { quoteFixture } from '../quotes/fixtures.ts'

test('a schedule that can’t be made yet says why beside its button', () => {
  const client = new QueryClient()
  const quote = quoteFixture()
  client.setQueryData(sourceQuery(quote.id).queryKey, quote)
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter initialEntries={[`/schedules/new?quotes=${quote.id}`]}>
          <NewSchedulePage />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect(markup).toContain('Enter an amount in dollars')
})
