import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import type { TuneOccurrence } from '../../src/contract/tuning/monitors.schemas.ts'
import type { NewTuneQuote } from '../../src/contract/tuning/quotes.schemas.ts'
import { jobEnd } from '../support/judging.ts'
import { allot, pricedRoute } from '../support/priced-quote.ts'
import { clientFor, type TestClient, type TestService, startTestService } from '../support/service.ts'
import { newSession } from '../support/tuning.ts'

const cases = 60
let service: TestService
let routeId: string
let closeModels: () => Promise<void>
const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`

beforeAll(async () => {
  service = await startTestService()
  const { models, routeId: id } = await pricedRoute(service, undefined, { answers: label })
  routeId = id
  closeModels = models.close
  await allot(service, '10000000')
})
afterAll(async () => {
  await closeModels()
  await service.close()
})

const route = () => ({ kind: 'managed' as const, route_id: routeId })
const terms = (max_charge_microusd: string): NewTuneQuote => ({
  candidates: [{ label: 'short', model: route(), effort: null, prompt: { system_prompt: null, prompt_template: '{input}' } }],
  mode: 'full',
  max_charge_microusd,
})
async function approved(client: TestClient = service.client): Promise<string> {
  const { call, ...body } = newSession(cases)
  if (!call) throw new Error('A session has a call.')
  const parameters = { temperature: null, max_output_tokens: 20, stop: [], top_p: 0.9, seed: 3 }
  const { id } = await client.call('createTuneSession', { body: { ...body, call: { ...call, model: route(), parameters } } })
  await service.client.call('approveTuneSession', { params: { session_id: id }, body: { revision: 1 } })
  return id
}
const quoted = (session_id: string, cap: string, client: TestClient = service.client) =>
  client.call('createTuneQuote', { params: { session_id }, body: terms(cap) })
const startOf = (session_id: string, quote_id: string) => ({
  params: { session_id },
  body: { quote_id },
  headers: { 'idempotency-key': crypto.randomUUID() },
})
const read = (session_id: string) => service.client.call('getTuneSession', { params: { session_id } })
const wallet = () => service.client.call('getWallet', {})
async function raced(session_id: string, cap: string) {
  const { id } = await quoted(session_id, cap)
  const { job_id } = await service.client.call('startTuneGroup', startOf(session_id, id))
  await jobEnd(service.client, job_id ?? '')
  const session = await read(session_id)
  const [group] = session.groups
  if (!group) throw new Error('The session has no group.')
  return { session, group }
}

describe('the arms of a group', () => {
  test('never charge more than its cap, and the wallet pays each call once', async () => {
    const before = await wallet()
    const free = await raced(await approved(), '10000000')
    const whole = BigInt(free.group.charged_microusd)
    expect(free.session.status).toBe('complete')
    expect(whole).toBeGreaterThan(0n)
    const cap = whole / 2n
    const { session, group } = await raced(await approved(), String(cap))
    expect(BigInt(group.charged_microusd)).toBeLessThanOrEqual(cap)
    expect(BigInt(group.charged_microusd)).toBeGreaterThan(cap / 2n)
    expect(session).toMatchObject({ status: 'partial', conclusion: { recommended: null, reason: 'unusable' } })
    expect(group.arms[1]).toMatchObject({ verdict: 'undecided', reason: 'missing', detail: expect.stringContaining('Spending limit') })
    const runs = [...free.group.arms, ...group.arms].map(({ run_id }) => run_id)
    let charged = 0n
    for (const run_id of runs) {
      const { accounting, execution } = await service.client.call('getRun', { params: { run_id } })
      charged += BigInt(accounting.charged_microusd)
      expect(execution).toMatchObject({ top_p: 0.9, model_seed: 3 })
    }
    expect(charged).toBe(whole + BigInt(group.charged_microusd))
    const after = await wallet()
    expect(BigInt(before.balance_microusd) - BigInt(after.balance_microusd)).toBe(charged)
    expect(after.held_microusd).toBe(before.held_microusd)
  })

  test('are not begun when the wallet cannot pay for the cap, and nothing stays held', async () => {
    const before = await wallet()
    const session_id = await approved()
    const quote = await quoted(session_id, '999999999999')
    if (quote.kind !== 'model') throw new Error('Models make model quotes.')
    // The hold is what the arms can cost at most, so that only a wallet below that refuses.
    expect(BigInt(quote.upper_bound_microusd)).toBeLessThan(BigInt(before.available_microusd))
    const poor = await poorKey('10')
    const { id } = await quoted(session_id, '5000', poor)
    const refused = await poor.refusal('startTuneGroup', startOf(session_id, id))
    expect(refused.code).toBe('spend_ceiling_reached')
    expect(await read(session_id)).toMatchObject({ status: 'quoted', groups: [] })
    expect(await wallet()).toEqual(before)
  })

  test('are charged nothing with a cap of 0 and one micro-dollar, and say so', async () => {
    for (const cap of ['0', '1']) {
      const { group } = await raced(await approved(), cap)
      expect(group.charged_microusd).toBe('0')
      expect(group.arms[0]).toMatchObject({ n: 0 })
      expect(group).toMatchObject({ status: 'failed', conclusion: { reason: 'unusable' } })
    }
  })
})

async function poorKey(ceiling_microusd: string): Promise<TestClient> {
  const { id: key_id, key } = await service.client.call('createApiKey', { body: { name: 'ci', scopes: ['tuning:write', 'tuning:read'] } })
  await service.client.call('setKeyCeiling', { params: { key_id }, body: { ceiling_microusd } })
  return clientFor(service.baseUrl, key, service.workspaceId)
}

describe('an event of a monitor', () => {
  test('is skipped where the limit of a check or of the month does not pay for the whole benchmark', async () => {
    const { session, group } = await raced(await approved(), '10000000')
    const { id: quote_id } = await quoted(session.id, '10000000')
    const quote = await service.client.call('getTuneQuote', { params: { session_id: session.id, quote_id } })
    if (quote.kind !== 'model') throw new Error('Models make model quotes.')
    const bound = BigInt(quote.arms[0]?.cost.upper_bound_microusd ?? '0')
    const monitor = (once: bigint, monthly: bigint) =>
      service.client.call('createTuneMonitor', {
        body: {
          name: 'Watch',
          session_id: session.id,
          baseline: { group_id: group.id, arm: 'current' },
          target: { model: route(), effort: null },
          margin: 0.2,
          max_charge_microusd: String(once),
          max_monthly_microusd: String(monthly),
        },
      })
    const check = async (monitor_id: string): Promise<TuneOccurrence> => {
      const params = { monitor_id }
      const { occurrence_id } = await service.client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
      const find = async () =>
        (await service.client.call('listTuneOccurrences', { params, query: {} })).find(({ id }) => id === occurrence_id)
      await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await find())?.status ?? 'accepted')).toBe(true)
      const found = await find()
      if (!found) throw new Error(`The occurrence ${occurrence_id} is not listed.`)
      return found
    }
    const before = await wallet()
    const skipped = { status: 'skipped', skip_reason: 'cap_reached', spent_microusd: '0', run_id: null }
    expect(await check((await monitor(bound - 1n, 10n ** 9n)).id)).toMatchObject(skipped)
    const { id } = await monitor(bound, bound)
    const first = await check(id)
    expect(first).toMatchObject({ status: 'complete', verdict: 'ok', n: cases })
    // What is left of the month is less than a check can cost.
    expect(await check(id)).toMatchObject(skipped)
    const [listed] = await service.client.call('listTuneMonitors', { query: { limit: 1 } })
    expect(listed?.spent_this_month_microusd).toBe(first.spent_microusd)
    const after = await wallet()
    expect(BigInt(before.balance_microusd) - BigInt(after.balance_microusd)).toBe(BigInt(first.spent_microusd))
    expect(after.held_microusd).toBe(before.held_microusd)
  })
})
