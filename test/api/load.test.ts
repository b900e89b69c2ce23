import { expect, test } from 'vitest'
import { runMixedLoad } from '../support/mixed-load.ts'
import { startTestService } from '../support/service.ts'

/** How long they take is for `npm run bench -- load` to say: a test would fail on a busy machine. */
test('of 1,500 mixed requests by fifty clients none is lost, and what was stored is there', async () => {
  await using service = await startTestService()
  const { requests, reads, writes, lost, forgotten } = await runMixedLoad(service, { requests: 1500, clients: 50 })
  expect(requests).toBeGreaterThanOrEqual(1500)
  expect(lost).toEqual([])
  expect(forgotten).toBe(0)
  expect(reads.length + writes.length).toBe(requests)
  expect(writes.length).toBeGreaterThan(250)
})
