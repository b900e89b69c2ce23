import { afterAll, beforeAll, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

/** The largest amount that a request may state, and the largest that a number holds exactly. */
const largest = '999999999999999999'
const kept = String(Number.MAX_SAFE_INTEGER)

test('a run with the largest limit has one that is no larger, and results', async () => {
  const { client, baseUrl } = service
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/first-option' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 5, seed: 1 },
    maxCharge: largest,
  })
  const run = await runToEnd(client, baseUrl, (await submit(client, id)).id)
  const params = { run_id: run.id }
  expect((await client.call('getRunResults', { params })).billing.max_charge_microusd).toBe(kept)
  const raised = await client.call('changeRun', { params, body: { max_charge_microusd: largest } })
  expect(raised.accounting.max_charge_microusd).toBe(kept)
})

test('a schedule with the largest monthly limit has one that is no larger', async () => {
  const { client } = service
  const schedule = await client.call('createSchedule', {
    body: {
      name: 'Hourly',
      cron: '0 * * * *',
      terms: {
        models: [{ kind: 'managed', route_id: 'assay/first-option' }],
        selection: { profile_ids: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] },
        coverage: { mode: 'sample', sample_count: 3, seed: 1 },
        max_charge_microusd: '0',
      },
      max_monthly_microusd: largest,
    },
  })
  expect(schedule.max_monthly_microusd).toBe(kept)
  const params = { schedule_id: schedule.id }
  const changed = await client.call('changeSchedule', { params, body: { max_monthly_microusd: largest } })
  expect(changed.max_monthly_microusd).toBe(kept)
})
