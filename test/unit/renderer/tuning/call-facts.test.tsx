import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { TuneCall } from '../../../../src/contract/tuning/draft.schemas.ts'
import { CallFacts } from '../../../../src/renderer/tuning/call-editor.tsx'

function markup(responseSchema: TuneCall['response_schema']): string {
  const call = TuneCall.parse({
    model: { kind: 'managed', route_id: 'echo' },
    prompt_template: '{input}',
    response_schema: responseSchema,
  })
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <CallFacts call={call} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('a call with a response schema does not look as one for free text', () => {
  const shown = markup({ type: 'object' })
  expect(shown).toContain('Response schema')
  expect(shown).toContain('&quot;type&quot;: &quot;object&quot;')
  expect(markup(null)).not.toContain('Response schema')
})
