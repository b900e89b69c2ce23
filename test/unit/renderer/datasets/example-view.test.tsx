import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Example } from '../../../../src/contract/datasets/examples.schemas.ts'
import { ExampleView } from '../../../../src/renderer/datasets/example-view.tsx'

const media = `sha256:${'ab'.repeat(32)}`

function markup(input: Example['input']): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <ExampleView example={{ input, output: 'A cat', expected: null, metadata: {} }} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('shows the parts of a message as parts, and what it does not know as JSON', () => {
  const parts = [
    { type: 'image', media },
    { type: 'text', text: 'What is this?' },
  ]
  const shown = markup([{ role: 'user', content: parts }])
  expect(shown).toMatch(/<figcaption[^]*Image[^]*What is this\?/)
  expect(shown).not.toContain('&quot;type&quot;')
  const foreign = markup([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.org/x.png' } }] }])
  expect(foreign).toContain('Not loaded')
  expect(foreign).not.toContain('<img')
  expect(markup([{ role: 'user', content: [{ type: 'hologram', image: media }] }])).toContain('&quot;hologram&quot;')
})
