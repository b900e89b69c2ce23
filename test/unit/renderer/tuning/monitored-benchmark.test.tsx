import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Run } from '../../../../src/contract/runs/runs.schemas.ts'
import { MonitoredBenchmark } from '../../../../src/renderer/tuning/monitor-page.tsx'
import { runQuery } from '../../../../src/renderer/runs/runs.queries.ts'
import { runFixture } from '../runs/fixtures.ts'

const words = runFixture().profiles[0]
if (!words) throw new Error('The fixture has a profile.')
const [first, second] = [
  { ...words, profile_id: 'first@1:zero-shot', benchmark_title: 'First' },
  { ...words, profile_id: 'second@1:zero-shot', benchmark_title: 'Second' },
]
const of = runFixture({ profiles: [first, second] })

function benchmark(run: Run | null, profileId: string, prompt?: { profile_id: string }): string {
  const client = new QueryClient()
  if (run) client.setQueryData(runQuery(run.id).queryKey, run)
  const baseline = { run_id: of.id, group_id: null, arm: null, n: 400, mean: 0.5, low: 0.4, high: 0.6 }
  const target = { model: { kind: 'managed' as const, route_id: 'words' }, effort: null, ...(prompt && { prompt }) }
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MonitoredBenchmark monitor={{ baseline, profile_id: profileId, target }} />
    </QueryClientProvider>,
  )
}

test('a monitor names the one profile that its checks run, with its id', () => {
  const shown = benchmark(of, second.profile_id)
  for (const text of ['Second', second.profile_id]) expect(shown).toContain(text)
  for (const text of ['First', 'more']) expect(shown).not.toContain(text)
  expect(benchmark(of, first.profile_id, { profile_id: second.profile_id })).toContain('Second')
})

test('the id stands alone where the run of the baseline is gone, or did not have the profile', () => {
  expect(benchmark(null, second.profile_id)).toContain(second.profile_id)
  const prompt = benchmark(of, first.profile_id, { profile_id: 'private@1:candidate' })
  expect(prompt).toContain('private@1:candidate')
  expect(prompt).not.toContain('First')
})
