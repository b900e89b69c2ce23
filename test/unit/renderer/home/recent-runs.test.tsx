import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Run } from '../../../../src/contract/runs/runs.schemas.ts'
import type { RunningJobs } from '../../../../src/renderer/app/running-jobs.queries.ts'
import { RecentRuns } from '../../../../src/renderer/home/recent-runs.tsx'
import { runFixture } from '../runs/fixtures.ts'

const ended = runFixture({ name: 'Ended', result_version: null })
const running = runFixture({
  id: '01900000-0000-7000-8000-0000000000a2',
  name: 'Still runs',
  status: 'running',
  result_version: null,
  finished_at: null,
})

function markup(recent: readonly Run[], underRunningNow?: readonly Run[]): string {
  const client = new QueryClient()
  if (underRunningNow) client.setQueryData<RunningJobs>(['runs', 'unfinished'], { runs: underRunningNow, cut: [] })
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <RecentRuns runs={recent} />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
}

test('recent runs leave out those under “Running now”, also before these are read', () => {
  for (const shown of [markup([running, ended], [running]), markup([running, ended])]) {
    expect(shown).toContain('Ended')
    expect(shown).not.toContain('Still runs')
  }
  // Its end may be known to one list before the other: it is in one of them at any time.
  expect(markup([running, ended], [])).toContain('Still runs')
  expect(markup([running], [running])).not.toContain('Recent runs')
})
