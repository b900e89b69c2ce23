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

test('shows the parts of a message as parts, and what another tool wrote as JSON', () => {
  const parts = [
    { type: 'image', media },
    { type: 'text', text: 'What is this?' },
  ]
  const shown = markup([{ role: 'user', content: parts }])
  expect(shown).toMatch(/<figcaption[^]*Image[^]*What is this\?/)
  expect(shown).not.toContain('&quot;type&quot;')
  const foreign = markup([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }])
  expect(foreign).toContain('image_url')
  expect(foreign).not.toContain('<figcaption')
})
