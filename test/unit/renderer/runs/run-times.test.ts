import { expect, test } from 'vitest'
import type { RunPart } from '../../../../src/contract/runs/runs.schemas.ts'
import { lastFinished } from '../../../../src/lib/last-finished.ts'
import { runningTime } from '../../../../src/renderer/runs/run-times.ts'
import { spentOf } from '../../../../src/renderer/runs/spent.ts'
import { accountingFixture, runFixture } from './fixtures.ts'

const part = (started: string | null, finished: string | null): RunPart => ({
  run_id: '01900000-0000-7000-8000-0000000000b1',
  selection: 'failed',
  status: 'complete',
  samples: 32,
  result_version: 2,
  created_at: '2026-11-20T10:10:00.000Z',
  started_at: started,
  finished_at: finished,
})
const run = runFixture({ started_at: '2026-11-20T10:00:00.000Z', finished_at: '2026-11-20T10:00:51.000Z' })

test('the times of a run include its retries, but not the time between them', () => {
  const retried = { ...run, parts: [part('2026-11-20T10:10:00.000Z', '2026-11-20T10:10:06.000Z'), part(null, null)] }
  expect(runningTime(run)).toBe(51_000)
  expect(runningTime(retried)).toBe(57_000)
  expect(lastFinished(run)).toBe('2026-11-20T10:00:51.000Z')
  expect(lastFinished(retried)).toBe('2026-11-20T10:10:06.000Z')
  expect(lastFinished({ ...run, finished_at: null })).toBeNull()
  expect(runningTime({ ...run, finished_at: null })).toBeNull()
})

test('what a run of a connection has cost is what its provider bills, and unknown where that is', () => {
  const accounting = { ...accountingFixture(), charged_microusd: '0', provider_billed_microusd: '20000' }
  const rates = { input_microusd_per_million: '1', output_microusd_per_million: '1' }
  expect(spentOf({ model: { ...run.model, kind: 'connection', rates }, accounting })).toBe('20000')
  expect(spentOf({ model: { ...run.model, kind: 'connection', rates: null }, accounting })).toBe('20000')
  const unknown = { ...accounting, provider_billed_microusd: null }
  expect(spentOf({ model: { ...run.model, kind: 'connection', rates: null }, accounting: unknown })).toBeNull()
  expect(spentOf({ model: { ...run.model, kind: 'managed', rates: null }, accounting })).toBe('0')
})
