import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { BenchmarkDetail } from '../../../../src/contract/catalog/benchmarks.schemas.ts'
import { Profiles } from '../../../../src/renderer/catalog/profiles.tsx'

const profile = (version: string) =>
  ({
    id: `words@${version}:zero-shot`,
    title: 'Zero-shot',
    summary: '',
    source_ref: `eval://me/words/${version}`,
    task_count: 10,
    shots: 0,
    metrics: [],
    chance_level: null,
    quote_availability: { status: 'ready_for_quote', reasons: [] },
  }) as unknown as BenchmarkDetail['profiles'][number] // the parts that are read

test('profiles of older versions, which have the same names, are shown on request', () => {
  const latest_version = { source_ref: 'eval://me/words/3' } as BenchmarkDetail['latest_version'] // likewise
  const shown = (latest: BenchmarkDetail['latest_version']) =>
    renderToStaticMarkup(
      <MantineProvider>
        <MemoryRouter>
          <Profiles benchmark={{ latest_version: latest, profiles: ['3', '2', '1'].map(profile), recipe: null }} />
        </MemoryRouter>
      </MantineProvider>,
    )
  expect(shown(latest_version).match(/>Zero-shot</g)).toHaveLength(1)
  expect(shown(latest_version)).toContain('words%403%3Azero-shot')
  expect(shown(latest_version)).toContain('Show 2 profiles of older versions')
  expect(shown(null).match(/>Zero-shot</g)).toHaveLength(3)
})
