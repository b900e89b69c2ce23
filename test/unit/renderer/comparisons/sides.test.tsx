import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { ComparedRun } from '../../../../src/contract/comparisons/comparisons.schemas.ts'
import type { Message } from '../../../../src/contract/messages/messages.schemas.ts'
import type { SampleDetail } from '../../../../src/contract/runs/samples.schemas.ts'
import { Sides } from '../../../../src/renderer/comparisons/sides.tsx'
import { sampleQuery } from '../../../../src/renderer/samples/samples.queries.ts'

const media = `sha256:${'ab'.repeat(32)}` as const
const question: Message = {
  role: 'user',
  content: [
    { type: 'image', media },
    { type: 'audio', media: `sha256:${'cd'.repeat(32)}` },
    { type: 'document', media: `sha256:${'ef'.repeat(32)}` },
    { type: 'text', text: 'What is this?' },
  ],
}

/** Of two runs whose samples were sent these messages. */
function markup(baseline: readonly Message[], contender: readonly Message[]): string {
  const client = new QueryClient()
  const runs = ['one', 'two'].map(id => ({ id, run_id: id, label: id, baseline: id === 'one' }) as ComparedRun) // what the view reads
  for (const [i, messages] of [baseline, contender].entries()) {
    const sample = { id: 's', status: 'scored', messages, output: 'A cat', reasoning: null, targets: [], choices: null, scores: [] }
    client.setQueryData(sampleQuery(runs[i]?.run_id ?? '', 's').queryKey, sample as unknown as SampleDetail) // what the view reads
  }
  const outcomes = runs.map(({ id }) => ({ run_id: id, sample_id: 's' }))
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <Sides task={{ metric: 'm', outcomes }} runs={runs} chosenId="two" />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('prompts that differ are each shown with their files, and one that is the same once', () => {
  const figures = (text: string) => text.match(/<figure/g)?.length ?? 0
  const same = markup([question], [question])
  expect(same).toContain('Prompt of both')
  expect(figures(same)).toBe(3)
  const other = markup([question], [{ role: 'system', content: 'Be short.' }, question])
  expect(other).toContain('Prompts, which differ')
  expect(figures(other)).toBe(6)
  for (const kind of ['Image', 'Audio', 'Document']) expect(other.match(new RegExp(`>${kind}<`, 'g'))).toHaveLength(2)
})
