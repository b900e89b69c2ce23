import { randomUUID } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LedgerEntry } from '../../src/contract/billing/billing.schemas.ts'
import { purchaseMachine } from '../../src/contract/billing/purchase.machine.ts'
import { holdForRun, releaseRest } from '../../src/service/billing/index.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { allot } from '../support/priced-quote.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'

const day = 24 * 3600 * 1000
let service: TestService
let clock: MovingClock

beforeAll(async () => {
  clock = movingClock()
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

const make = (amount = '1000', note = '') => service.client.call('createPurchase', { body: { amount_microusd: amount, note } })
const purchases = async (receiptsOnly = false) =>
  (await service.client.call('listPurchases', { query: { limit: 100, receipts_only: receiptsOnly } })).items
const wallet = () => service.client.call('getWallet', {})
const steps = { confirm: 'confirmPurchase', cancel: 'cancelPurchase', refund: 'refundPurchase', dispute: 'disputePurchase' } as const

async function wholeLedger(limit: number): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await service.client.call('listLedger', { query: { limit, ...(cursor ? { cursor } : {}) } })
    entries.push(...page.items)
    cursor = page.next_cursor ?? undefined
    more = cursor !== undefined
  }
  return entries
}

describe('a purchase', () => {
  test('adds to the wallet when it is confirmed and not before', async () => {
    const before = await wallet()
    const made = await make('2500000', 'November')
    expect(made).toMatchObject({ status: 'open', amount_microusd: '2500000', note: 'November', paid_at: null, receipt_number: null })
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(day)
    expect(await wallet()).toEqual(before)
    const paid = await service.client.call('confirmPurchase', { params: { purchase_id: made.id } })
    expect(paid).toMatchObject({ status: 'paid', paid_at: clock.now().toISOString(), receipt_number: expect.stringMatching(/^R-\d{6}$/) })
    expect(BigInt((await wallet()).balance_microusd) - BigInt(before.balance_microusd)).toBe(2_500_000n)
  })

  test('takes the steps of its machine and no others', async () => {
    for (const [path, status] of [
      [[], 'open'],
      [['confirm'], 'paid'],
      [['cancel'], 'cancelled'],
      [['confirm', 'refund'], 'refunded'],
      [['confirm', 'dispute'], 'disputed'],
    ] as const) {
      for (const event of Object.keys(steps) as (keyof typeof steps)[]) {
        // the keys of a literal object
        const { id } = await make()
        for (const earlier of path) await service.client.call(steps[earlier], { params: { purchase_id: id } })
        const from: readonly string[] = purchaseMachine.events[event].from
        const call = { params: { purchase_id: id } }
        if (from.includes(status)) expect((await service.client.call(steps[event], call)).status).toBe(purchaseMachine.events[event].to)
        else expect(await service.client.refusal(steps[event], call)).toMatchObject({ status: 409, code: 'illegal_transition' })
      }
    }
  })

  test('expires unconfirmed after a day', async () => {
    const { id, expires_at } = await make()
    clock.advance(day - 1)
    expect((await purchases()).find(purchase => purchase.id === id)?.status).toBe('open')
    clock.advance(1)
    const expired = (await purchases()).find(purchase => purchase.id === id)
    expect(expired).toMatchObject({ status: 'expired', closed_at: expires_at })
    const refused = await service.client.refusal('confirmPurchase', { params: { purchase_id: id } })
    expect(refused).toMatchObject({ status: 409, code: 'illegal_transition' })
    expect(refused.message).toContain('expired')
    expect((await purchases()).find(purchase => purchase.id === id)).toEqual(expired)
  })

  test('gives back no more than is still available', async () => {
    await using own = await startTestService()
    const id = await allot(own, '1000000')
    const run = { workspaceId: own.workspaceId, runId: randomUUID(), at: new Date().toISOString() }
    const db = openDatabase(`${own.dataDir}/assay.db`)
    holdForRun(db, { ...run, amount: 700_000n })
    const refunded = await own.client.call('refundPurchase', { params: { purchase_id: id } })
    expect(refunded.returned_microusd).toBe('300000')
    releaseRest(db, { ...run, amount: 700_000n })
    db.close()
    expect(await own.client.call('getWallet', {})).toMatchObject({ balance_microusd: '700000', available_microusd: '700000' })
  })

  test('is an owner session’s: a key may neither make nor confirm one', async () => {
    const { id } = await make()
    expect(await service.keyClient.refusal('createPurchase', { body: { amount_microusd: '1' } })).toMatchObject({
      status: 403,
      code: 'owner_session_required',
    })
    for (const step of Object.values(steps)) {
      expect(await service.keyClient.refusal(step, { params: { purchase_id: id } })).toMatchObject({
        status: 403,
        code: 'owner_session_required',
      })
    }
    expect((await purchases()).find(purchase => purchase.id === id)?.status).toBe('open')
  })

  test.each(['0', '-5', '1.5', '', 'abc', '00', '99999999999999', 5])('of %s is refused', async amount => {
    const body = JSON.stringify({ amount_microusd: amount })
    const reply = await service.fetch('/v1/billing/purchases', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(await reply.json()).toMatchObject({ error: { code: 'validation_error' } })
  })

  test('is made once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'one-purchase' }
    const first = await service.client.call('createPurchase', { body: { amount_microusd: '77' }, headers })
    expect(await service.client.call('createPurchase', { body: { amount_microusd: '77' }, headers })).toEqual(first)
  })

  test('with receipts_only is one that charged a payment', async () => {
    const charged = ['paid', 'refunded', 'disputed']
    const all = await purchases()
    expect(new Set(all.map(purchase => purchase.status))).toEqual(new Set(['open', 'expired', 'cancelled', ...charged]))
    expect(await purchases(true)).toEqual(all.filter(purchase => charged.includes(purchase.status)))
    const numbers = all.flatMap(purchase => purchase.receipt_number ?? [])
    expect(new Set(numbers).size).toBe(numbers.length)
  })
})

describe('a receipt', () => {
  test('is JSON, or a self-contained page on Accept: text/html', async () => {
    const { id } = await make('1234567', '<script>alert(1)</script> & "quotes"')
    expect(await service.client.refusal('getReceipt', { params: { purchase_id: id } })).toMatchObject({
      status: 409,
      code: 'illegal_transition',
    })
    await service.client.call('confirmPurchase', { params: { purchase_id: id } })
    const receipt = await service.client.call('getReceipt', { params: { purchase_id: id } })
    expect(receipt).toMatchObject({ purchase_id: id, status: 'paid', amount_microusd: '1234567', workspace: { id: service.workspaceId } })
    expect(receipt.statement).toMatch(/no card/i)

    const page = await service.fetch(`/v1/billing/purchases/${id}/receipt`, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    })
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    const html = await page.text()
    expect(html).toContain('$1.23')
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;')
    expect(html).not.toMatch(/<script|<img|<link|https?:/)
    for (const accept of ['application/json', '*/*', 'text/html;q=0.5, application/json']) {
      const json = await service.fetch(`/v1/billing/purchases/${id}/receipt`, { headers: { accept } })
      expect(await json.json()).toEqual(receipt)
    }
  })
})

describe('the receipt of a payment', () => {
  const receiptPageOf = async (id: string) =>
    (await service.fetch(`/v1/billing/purchases/${id}/receipt`, { headers: { accept: 'text/html' } })).text()

  test.each([
    ['paid', null],
    ['refunded', 'refund'],
    ['disputed', 'dispute'],
  ] as const)('that is %s says so, as JSON and on paper', async (status, step) => {
    const { id } = await make('3000000')
    await service.client.call('confirmPurchase', { params: { purchase_id: id } })
    if (step) await service.client.call(steps[step], { params: { purchase_id: id } })
    const receipt = await service.client.call('getReceipt', { params: { purchase_id: id } })
    expect(receipt).toMatchObject({ status, amount_microusd: '3000000', returned_microusd: step ? '3000000' : '0' })
    const html = await receiptPageOf(id)
    expect(html).toContain(receipt.receipt_number)
    expect(html.includes('Taken back')).toBe(step !== null)
    expect(html).toContain(`<td dir="auto">${status}</td>`)
    expect(html).toContain('@media print')
  })

  test.each([
    ['open', () => Promise.resolve()],
    ['cancelled', (id: string) => service.client.call('cancelPurchase', { params: { purchase_id: id } })],
    ['expired', () => Promise.resolve(clock.advance(day))],
  ])('does not exist where it is %s: nothing was paid', async (status, step) => {
    const { id } = await make()
    await step(id)
    const refused = await service.client.refusal('getReceipt', { params: { purchase_id: id } })
    expect(refused).toMatchObject({ status: 409, code: 'illegal_transition' })
    expect(refused.message).toContain(status)
  })
})

describe('the ledger', () => {
  test('adds up to the balance at any page size', async () => {
    const whole = await wholeLedger(100)
    const sum = whole.reduce((total, entry) => total + BigInt(entry.amount_microusd), 0n)
    expect(String(sum)).toBe((await wallet()).balance_microusd)
    expect(await wholeLedger(7)).toEqual(whole)
    expect(whole.length).toBeGreaterThan(7)
  })

  test('is searched by what an entry was for and its kind', async () => {
    await allot(service, '7', 'Course in May')
    const found = async (q: string) => (await service.client.call('listLedger', { query: { q } })).items.map(entry => entry.description)
    expect(await found('may course')).toEqual(['Course in May (allotment)'])
    expect(await found('"course in may" -allotment')).toEqual([])
    expect(await found('nothing of this')).toEqual([])
  })

  test('is the same as CSV, with formulas made harmless', async () => {
    await allot(service, '42', '=HYPERLINK("http://evil.test")')
    const whole = await wholeLedger(100)
    const reply = await service.fetch('/v1/billing/ledger.csv')
    expect(reply.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(reply.headers.get('content-disposition')).toBe('attachment; filename="ledger.csv"')
    const text = await reply.text()
    expect(text).toContain(`"'=HYPERLINK(""http://evil.test"") (allotment)"`)
    const rows: Record<string, string>[] = parse(text, { columns: true })
    const asText = (entry: LedgerEntry) => Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, value ?? '']))
    const plain = (row: Record<string, string>) => ({ ...row, description: row['description']?.replace(/^'/, '') })
    expect(rows.map(plain)).toEqual(whole.map(asText))
    expect(whole.some(entry => entry.amount_microusd.startsWith('-'))).toBe(true)
  })

  test('is read by a key with billing:read, and by no other', async () => {
    const reader = await service.client.call('createApiKey', { body: { name: 'reader', scopes: ['billing:read'] } })
    const other = await service.client.call('createApiKey', { body: { name: 'other', scopes: ['runs:read'] } })
    expect(await clientFor(service.baseUrl, reader.key, service.workspaceId).call('getWallet', {})).toEqual(await wallet())
    expect(await clientFor(service.baseUrl, other.key, service.workspaceId).refusal('getWallet', {})).toMatchObject({
      code: 'missing_scope',
    })
  })
})
