import { expect, test } from 'vitest'
import { scheduleLink } from '../../../../src/renderer/schedules/schedule-link.ts'
import { runFixture } from '../runs/fixtures.ts'

const run = runFixture()
const exact = { ...run, coverage: { ...run.coverage, mode: 'exact' as const } }

test('a schedule is offered for what was quoted and can be quoted again', () => {
  expect(scheduleLink([run, run])).toBe(`/schedules/new?quotes=${run.quote_id},${run.quote_id}`)
  expect(scheduleLink([{ ...run, quote_id: null }, run])).toBe(`/schedules/new?quotes=${run.quote_id}`)
})

test('neither exact tasks nor imported answers offer a schedule, which the form refuses', () => {
  expect(scheduleLink([exact])).toBeNull()
  expect(scheduleLink([{ ...run, quote_id: null }])).toBeNull()
})
