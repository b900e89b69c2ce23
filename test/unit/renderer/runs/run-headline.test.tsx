import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { Results } from '../../../../src/contract/runs/results.schemas.ts'
import { resultsQuery } from '../../../../src/renderer/results/results.queries.ts'
import { RunHeadline } from '../../../../src/renderer/runs/run-headline.tsx'
import { fixtureResults, fixtureSamples } from '../../engine/reporting/report/run-fixture.ts'
import { runFixture } from './fixtures.ts'

const whole = fixtureResults(fixtureSamples(20))
/** Results with one primary metric for each profile, of these means and intervals. */
function resultsOf(...scores: readonly (readonly [mean: number, low: number, high: number])[]): Results {
  const profiles = whole.reproducibility.profiles.flatMap(profile =>
    scores.map((_, i) => ({ ...profile, profile_id: `p${i}`, title: `Profile ${i}` })),
  )
  const metrics = whole.metrics.slice(0, 1).flatMap(metric =>
    scores.map(([mean, low, high], i) => {
      const interval = { low, high, level: 0.95, method: 'wilson' }
      return { ...metric, profile_id: `p${i}`, primary: true, estimate: { ...metric.estimate, n: 100, mean, interval } }
    }),
  )
  return { ...whole, metrics, reproducibility: { ...whole.reproducibility, profiles } }
}

function markup(results: Results): string {
  const run = runFixture()
  const client = new QueryClient()
  client.setQueryData(resultsQuery(run.id, 1).queryKey, results)
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <RunHeadline run={run} />
      </MantineProvider>
    </QueryClientProvider>,
  )
}

describe('the score of a run in a list', () => {
  test('has both ends of its interval, whether they are as far or not', () => {
    expect(markup(resultsOf([0.5, 0.4, 0.6]))).toContain('50.0 % [40.0, 60.0] (n = 100)')
    expect(markup(resultsOf([0.9, 0.82, 0.94]))).toContain('90.0 % [82.0, 94.0] (n = 100)')
  })

  test('is that of the first benchmark where there are several, on the same axis, and says so', () => {
    const shown = markup(resultsOf([0.5, 0.4, 0.6], [0.9, 0.82, 0.94]))
    expect(shown).toContain('class="runs-mini"')
    expect(shown).toContain('50.0 % [40.0, 60.0] (n = 100)')
    expect(shown).toContain('+1 more score')
    expect(shown).not.toContain('90.0 %')
    expect(markup(resultsOf([0.5, 0.4, 0.6]))).not.toContain('more score')
  })
})
