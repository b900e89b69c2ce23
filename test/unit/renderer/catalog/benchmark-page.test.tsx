// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { BenchmarkDetail } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import { BenchmarkSections } from '../../../../src/renderer/catalog/benchmark-page.tsx'

beforeAll(() => {
  // jsdom has neither media queries nor sizes, which Mantine asks for.
  window.matchMedia = query =>
    Object.assign(new EventTarget(), { matches: false, media: query, onchange: null, addListener: () => {}, removeListener: () => {} })
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
afterEach(cleanup)

const profile = (version: string) => ({
  id: `words@${version}:zero-shot`,
  title: 'Zero-shot',
  summary: '',
  source_ref: `eval://me/words/${version}`,
  task_count: 10,
  shots: 0,
  metrics: [{ id: 'match', title: `Match ${version}`, scorer: 'native/exact_match', scorer_version: 1, binary: true, primary: true }],
  chance_level: null,
  quote_availability: { status: 'ready_for_quote', reasons: [] },
  generation: { temperature: 0, max_output_tokens: 16, stop: [] },
  prompt_template: `Prompt of ${version}`,
  prompt_digest: version.repeat(64),
  requires: [],
})

test('prompt and metrics of older versions can be read once these are shown', () => {
  const benchmark = {
    description: '',
    how_made: '',
    known_limits: [],
    runner: 'native',
    provider: 'me',
    capabilities: [],
    license: { name: 'MIT', url: null },
    homepage: null,
    recipe: null,
    versions: [],
    latest_version: { source_ref: 'eval://me/words/2', digest: 'd'.repeat(64), task_counts: { test: 10 } },
    profiles: ['2', '1'].map(profile),
  } as unknown as BenchmarkDetail // the parts that are read
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
        <MemoryRouter>
          <BenchmarkSections benchmark={benchmark} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const metrics = within(screen.getByRole('table', { name: 'Metrics' }))
  expect(metrics.queryByText('Match 1')).toBeNull()
  expect(screen.queryByRole('combobox', { name: 'Profile of the prompt' })).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Show 1 profile of older versions' }))
  expect(metrics.getByRole('row', { name: /Match 1 Zero-shot, version 1/ })).toBeTruthy()
  fireEvent.click(screen.getByRole('combobox', { name: 'Profile of the prompt' }))
  fireEvent.click(screen.getByRole('option', { name: 'Zero-shot, version 1', hidden: true }))
  expect(screen.getByText('Prompt of 1')).toBeTruthy()
})
