import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote, runToEnd } from '../support/runs.ts'
import { scriptedRun } from '../support/scripted-run.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let profile: string

beforeAll(async () => {
  service = await startTestService()
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(() => service.close())

function sql(statement: string): void {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.prepare(statement).run()
  db.close()
}

/** Sends a creating request whose transaction fails at its end, when all its work is done. */
async function rolledBack(path: string, body: unknown): Promise<void> {
  sql(`create trigger planted before update on idempotency begin select raise(abort, 'planted'); end`)
  const reply = await service.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    body: JSON.stringify(body),
  })
  sql('drop trigger planted')
  expect(reply.status).toBe(500)
}

describe('work of a request that was not stored', () => {
  test('is not begun: no part, no second result version', async () => {
    const { run, models } = await scriptedRun(service, profile, { samples: 4, faults: ['server-error'] })
    expect(run).toMatchObject({ status: 'partial', result_version: 1 })
    const asked = models.requests()

    await rolledBack(`/v1/runs/${run.id}/regrade`, { metrics: [] })
    await rolledBack(`/v1/runs/${run.id}/retry-failed`, undefined)
    // What is begun now ends after whatever was begun before it.
    const regraded = await service.client.call('regradeRun', { params: { run_id: run.id }, body: { metrics: [] } })
    expect(regraded).toMatchObject({ result_version: 1, parts: [], regrade: { result_version: 2 } })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: run.id } })).regrade).toBeNull()
    const after = await service.client.call('getRun', { params: { run_id: run.id } })
    expect(after).toMatchObject({ result_version: 2, parts: [] })
    expect(models.requests()).toBe(asked)
    await models.close()
  })
})

test('an Idempotency-Key of a signed-in person is known after a restart, which gives them another session', async () => {
  const { id: quoteId } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/first-option' },
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 3, seed: 1 },
  })
  const send = (path: string, body: object) =>
    service.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': 'over-the-restart' },
      body: JSON.stringify(body),
    })
  const purchase = { amount_microusd: '7' }
  const first = await send('/v1/billing/purchases', purchase)
  const run = await send('/v1/runs', { quote_id: quoteId, name: 'once' })
  const { run_id } = (await run.json()) as { run_id: string } // as the contract has it
  await runToEnd(service.client, service.baseUrl, run_id)
  const before = service.client.headers['authorization']
  await service.restart()
  expect(service.client.headers['authorization']).not.toBe(before)
  const again = await send('/v1/billing/purchases', purchase)
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await again.text()).toBe(await first.text())
  const other = await send('/v1/billing/purchases', { amount_microusd: '8' })
  expect(other.status).toBe(422)
})
