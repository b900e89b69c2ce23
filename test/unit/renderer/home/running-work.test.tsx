import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { RunningJobs } from '../../../../src/renderer/app/running-jobs.queries.ts'
import { RunningWork } from '../../../../src/renderer/home/running-work.tsx'
import { runFixture } from '../runs/fixtures.ts'

test('what runs leads to the runs of a status that are too many to list', () => {
  const client = new QueryClient()
  const run = runFixture({ status: 'queued', result_version: null, finished_at: null })
  client.setQueryData<RunningJobs>(['runs', 'unfinished'], { runs: [run], cut: ['queued'] })
  const markup = renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <MantineProvider>
        <MemoryRouter>
          <RunningWork />
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  expect(markup).toMatch(/href="\/runs\?status=queued"[^>]*>All queued runs</)
})
