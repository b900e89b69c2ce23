import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { RunHeadline } from '../../../../src/renderer/runs/run-headline.tsx'
import type { Run } from '../../../../src/contract/runs/runs.schemas.ts'
import { runFixture } from './fixtures.ts'

type Interval = readonly [mean: number, low: number, high: number]

/** A run with one profile for each score, none of whose results has been read. */
function markup(...scores: readonly Interval[]): string {
  return markupOf(
    scores.map(([mean, low, high]) => ({
      estimate: { n: 100, mean, standard_error: null, interval: { low, high, level: 0.95, method: 'wilson' }, reason: null, cautions: [] },
      metric: 'accuracy',
      biased: false,
    })),
  )
}

function markupOf(scores: readonly Pick<Run['scores'][number], 'estimate' | 'biased'>[]): string {
  const run = runFixture()
  const scored = runFixture({
    profiles: run.profiles.flatMap(profile => scores.map((_, i) => ({ ...profile, profile_id: `p${i}`, title: `Profile ${i}` }))),
    scores: scores.map((score, i) => ({ profile_id: `p${i}`, metric: 'exact_match', title: 'Exact match', ...score })),
  })
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <RunHeadline run={scored} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

const textOf = (markup: string): string => markup.replaceAll(/<[^>]*>/g, '')

describe('the score of a run in a list', () => {
  test('has both ends of its interval, whether they are as far or not', () => {
    expect(textOf(markup([0.5, 0.4, 0.6]))).toContain('50.0 % [40.0, 60.0] (n = 100)')
    expect(textOf(markup([0.9, 0.82, 0.94]))).toContain('90.0 % [82.0, 94.0] (n = 100)')
  })

  test('is none where nothing was scored, and not shown where the model’s results chose the tasks', () => {
    const none = { n: 0, mean: null, standard_error: null, interval: null, reason: 'Every grading failed.', cautions: [] }
    expect(textOf(markupOf([{ estimate: none, biased: false }])).match(/no score \(n = 0\)|\(n = 0\)/g)).toEqual(['no score (n = 0)'])
    expect(textOf(markupOf([{ estimate: { ...none, n: 40, mean: 0.25 }, biased: true }]))).not.toContain('25')
  })

  test('is that of the first benchmark where there are several, on the same axis, and says so', () => {
    const shown = markup([0.5, 0.4, 0.6], [0.9, 0.82, 0.94])
    expect(shown).toContain('class="runs-mini"')
    expect(textOf(shown)).toContain('50.0 % [40.0, 60.0] (n = 100)')
    expect(shown).toContain('+1 more score')
    expect(shown).not.toContain('90.0 %')
    expect(markup([0.5, 0.4, 0.6])).not.toContain('more score')
  })
})
