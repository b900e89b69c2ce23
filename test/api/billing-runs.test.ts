import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/contract/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { allot, pricedQuote } from '../support/priced-quote.ts'
import { runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const runCount = async () => (await service.client.call('listRuns', { query: { limit: 100 } })).items.length

/** As metering would: the bundled routes report no tokens, so their runs are never charged. */
function setCharged(runId: string, amount: bigint): void {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.run(
    db.sql
      .updateTable('runs')
      .set({ charged_microusd: Number(amount) })
      .where('id', '=', runId),
  )
  db.close()
}

async function ledger(): Promise<LedgerEntry[]> {
  return (await service.client.call('listLedger', { query: { limit: 100 } })).items
}

describe('a run that costs', () => {
  test('is refused before any work where the wallet has too little', async () => {
    const quoteId = await pricedQuote(service, { upperBound: 1000 })
    const refused = await service.client.refusal('submitRun', {
      body: { quote_id: quoteId, name: 'poor' },
      headers: { 'idempotency-key': 'poor' },
    })
    expect(refused).toMatchObject({ status: 402, code: 'insufficient_credit' })
    await allot(service, '999')
    expect(
      await service.client.refusal('submitRun', { body: { quote_id: quoteId, name: 'poor' }, headers: { 'idempotency-key': 'poor' } }),
    ).toMatchObject({ status: 402 })
    expect(await runCount()).toBe(0)
    expect((await ledger()).map(entry => entry.kind)).toEqual(['allotment'])
    // The same request goes through once there is enough.
    await allot(service, '1')
    const run = await submit(service.client, quoteId, 'poor', 'poor')
    expect(run.accounting.held_microusd).toBe('1000')
    await runToEnd(service.client, service.baseUrl, run.id)
  })

  test('sets its cap aside and gives back what it did not need', async () => {
    await allot(service, '5000000')
    const before = await service.client.call('getWallet', {})
    const quoteId = await pricedQuote(service, { upperBound: 2_000_000, samples: 20 })
    const submitted = await submit(service.client, quoteId, 'paid')
    expect(submitted.accounting).toMatchObject({ state: 'held', held_microusd: '2000000' })
    const run = await runToEnd(service.client, service.baseUrl, submitted.id)
    expect(run.accounting).toMatchObject({ state: 'settled', held_microusd: '0', charged_microusd: '0' })
    const entries = (await ledger()).filter(entry => entry.run_id === run.id)
    expect(
      entries.map(({ kind, from_account, to_account, moved_microusd, amount_microusd }) => ({
        kind,
        from_account,
        to_account,
        moved_microusd,
        amount_microusd,
      })),
    ).toEqual([
      { kind: 'release', from_account: 'held', to_account: 'budget', moved_microusd: '2000000', amount_microusd: '0' },
      { kind: 'hold', from_account: 'budget', to_account: 'held', moved_microusd: '2000000', amount_microusd: '0' },
    ])
    expect(await service.client.call('getWallet', {})).toEqual(before)
  })
})

describe('a key with a ceiling', () => {
  test('stops at it, before any work, through whichever of its rolled keys', async () => {
    await allot(service, '100000000')
    const made = await service.client.call('createApiKey', {
      body: { name: 'agent', scopes: ['runs:read', 'runs:write'], ceiling_microusd: '2500000' },
    })
    const agent = clientFor(service.baseUrl, made.key, service.workspaceId)
    const paid = () => pricedQuote(service, { upperBound: 2_000_000 })
    const first = await runToEnd(service.client, service.baseUrl, (await submit(agent, await paid(), 'first')).id)
    const charged = 300_000n
    setCharged(first.id, charged)
    const keyNow = async (id: string) => (await service.client.call('listApiKeys', {})).items.find(key => key.id === id)
    expect(await keyNow(made.id)).toMatchObject({ spent_microusd: String(charged), held_microusd: '0' })

    await service.client.call('setKeyCeiling', {
      params: { key_id: made.id },
      body: { ceiling_microusd: String(2_000_000n + charged - 1n) },
    })
    const fresh = await service.client.call('rollApiKey', { params: { key_id: made.id }, body: { overlap: '1h' } })
    const runs = await runCount()
    for (const key of [made.key, fresh.key]) {
      const client = clientFor(service.baseUrl, key, service.workspaceId)
      const refused = await client.refusal('submitRun', {
        body: { quote_id: await paid(), name: 'beyond' },
        headers: { 'idempotency-key': crypto.randomUUID() },
      })
      expect(refused).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
    }
    expect(await runCount()).toBe(runs)
    await service.client.call('setKeyCeiling', { params: { key_id: fresh.id }, body: { ceiling_microusd: String(2_000_000n + charged) } })
    const last = await runToEnd(
      service.client,
      service.baseUrl,
      (await submit(clientFor(service.baseUrl, fresh.key, service.workspaceId), await paid(), 'last')).id,
    )
    setCharged(last.id, 5n)
    for (const { id } of [made, fresh]) expect(await keyNow(id)).toMatchObject({ spent_microusd: String(charged + 5n), held_microusd: '0' })
  })

  test('of nothing, like the one in service.json, still submits what is free', async () => {
    const free = await pricedQuote(service, { upperBound: 0 })
    await submit(service.keyClient, free, 'free')
    const paid = await pricedQuote(service, { upperBound: 1 })
    const refused = await service.keyClient.refusal('submitRun', {
      body: { quote_id: paid, name: 'x' },
      headers: { 'idempotency-key': 'x' },
    })
    expect(refused).toMatchObject({ status: 402, code: 'spend_ceiling_reached' })
  })
})
