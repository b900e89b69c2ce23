import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { startAgentServer } from '../journeys/model-server/agent-server.ts'
import { jobEnd } from '../support/judging.ts'
import { clientFor, type TestClient, type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel, raceToEnd } from '../support/tuning.ts'

let service: TestService
let current: PricedModel
let cheap: PricedModel

const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`
const model = ({ id }: Pick<PricedModel, 'id'>) => ({ kind: 'connection' as const, connection_id: id })

beforeAll(async () => {
  service = await startTestService()
  current = await pricedModel(service.client, 'current', label, 10_000_000)
  cheap = await pricedModel(service.client, 'cheap', label, 1_000_000)
})
afterAll(async () => {
  await current.server.close()
  await cheap.server.close()
  await service.close()
})

async function modelOf(name: string, answers: (question: string) => string, rate: number, options: Parameters<typeof pricedModel>[4] = {}) {
  const made = await pricedModel(service.client, name, answers, rate, options)
  onTestFinished(() => made.server.close())
  return made
}

async function create(call: PricedModel, changes: Partial<ReturnType<typeof newSession>> = {}, client: TestClient = service.client) {
  const { call: usual, ...body } = newSession(100)
  if (!usual) throw new Error('A session has a call.')
  const objective = { margin: 0.1, seed: 3 }
  return (await client.call('createTuneSession', { body: { ...body, call: { ...usual, model: model(call) }, objective, ...changes } })).id
}
const read = (session_id: string) => service.client.call('getTuneSession', { params: { session_id } })
const arm = (session: TuneSession, name: string) => session.groups.at(-1)?.arms.find(one => one.label === name)

describe('an arm that is decided before its cases are over', () => {
  test('is stopped early and not cancelled, with the reason on its run', async () => {
    const bad = await modelOf('bad', () => 'label-9', 1_000_000, { concurrency: 4 })
    const session = await raceToEnd(service.client, await create(current), [
      { label: 'cheap', model: model(cheap) },
      { label: 'bad', model: model(bad) },
    ])
    expect(arm(session, 'bad')).toMatchObject({ verdict: 'dropped', run_status: 'stopped_early' })
    const run = await service.client.call('getRun', { params: { run_id: arm(session, 'bad')?.run_id ?? '' } })
    expect(run).toMatchObject({ status: 'partial', stop_reason: { code: 'decided_early' } })
    expect(run.stop_reason?.message).toMatch(/^Stopped early: dropped\. /)
    expect(run.progress.missing).toBeGreaterThan(0)
    const statuses = session.groups[0]?.arms.map(one => one.run_status)
    expect(statuses).not.toContain('cancelled')
  })

  test('leaves what it did not spend to the arms that go on', async () => {
    const bad = await modelOf('bad', () => 'label-9', 1_000_000)
    // Answers the first looks, and the others once the test has seen what it waits for.
    const { promise: seen, resolve: release } = Promise.withResolvers<void>()
    onTestFinished(() => release())
    const patient = await modelOf('patient', label, 10_000_000, { held: asked => (asked > 60 ? seen : null) })
    const session_id = await create(patient)
    const candidates = [
      { label: 'cheap', model: model(cheap) },
      { label: 'bad', model: model(bad) },
    ]
    await service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1 } })
    const terms = { candidates, max_charge_microusd: '0' }
    const open = await service.client.call('createTuneQuote', { params: { session_id }, body: terms })
    if (open.kind !== 'model') throw new Error('Models make model quotes.')
    const bounds = open.arms.map(({ cost }) => Number(cost.provider_billed_upper_bound_microusd))
    const billed = Math.floor(bounds.reduce((sum, bound) => sum + bound, 0) / 2)
    const body = { ...terms, max_provider_billed_microusd: String(billed) }
    const quote = await service.client.call('createTuneQuote', { params: { session_id }, body })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const started = await service.client.call('startTuneGroup', { params: { session_id }, body: { quote_id: quote.id }, headers })
    const capOf = async (session: TuneSession, name: string) => {
      const run = await service.client.call('getRun', { params: { run_id: arm(session, name)?.run_id ?? '' } })
      return Number(run.accounting.max_provider_billed_microusd)
    }
    const first = Math.floor((billed * (bounds[0] ?? 0)) / bounds.reduce((sum, bound) => sum + bound, 0))
    await expect.poll(async () => capOf(await read(session_id), 'current')).toBeGreaterThan(first)
    release()
    await jobEnd(service.client, started.job_id ?? '')
    const session = await read(session_id)
    expect(arm(session, 'bad')?.verdict).toBe('dropped')
    expect(Number(session.groups[0]?.provider_billed_microusd)).toBeLessThanOrEqual(billed)
  })
})

test('auto starts nothing for a key that was revoked after approval', async () => {
  const { id: key_id, key } = await service.client.call('createApiKey', { body: { name: 'ci', scopes: ['tuning:write', 'tuning:read'] } })
  const session_id = await create(current, {}, clientFor(service.baseUrl, key, service.workspaceId))
  await service.client.call('revokeApiKey', { params: { key_id } })
  const auto = { candidates: [{ label: 'cheap', model: model(cheap) }], max_charge_microusd: '0' }
  const { job_id } = await service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1, auto } })
  await jobEnd(service.client, job_id ?? '')
  const session = await read(session_id)
  expect(session).toMatchObject({ status: 'approved', groups: [], problem: { code: 'unauthenticated' } })
  expect(session.problem?.message).toContain('revoked or expired')
})

test('a session of clustered cases looks at whole clusters and takes their dependence into account', async () => {
  const inClusters = (size: number) =>
    newSession(100).cases?.map((one, i) => ({ ...one, cluster: `conversation ${Math.floor(i / size)}` })) ?? []
  const cases = inClusters(4)
  const session_id = await create(current, { cases })
  // Wrong in whole conversations: 3 of 25.
  const uneven = await modelOf('uneven', question => (Number(/\d+/.exec(question)?.[0]) < 12 ? 'wrong' : label(question)), 1_000_000)
  const session = await raceToEnd(service.client, session_id, [{ label: 'uneven', model: model(uneven) }], 'full')
  expect(arm(session, 'uneven')?.looks[0]?.difference).toMatchObject({ mean: -0.12, interval: { method: 'cr1' } })
  // Independent cases would give sqrt(0.12 * 0.88 / 100) = 0.032.
  expect(arm(session, 'uneven')?.difference?.standard_error).toBeGreaterThan(0.05)
  const again = await create(current, { cases })
  await service.client.call('approveTuneSession', { params: { session_id: again }, body: { revision: 1 } })
  const body = { candidates: [{ label: 'uneven', model: model(uneven) }], max_charge_microusd: '0' }
  const quote = await service.client.call('createTuneQuote', { params: { session_id: again }, body })
  expect(quote.looks.length).toBeGreaterThan(1)
  expect(quote.looks.every(n => n % 4 === 0)).toBe(true)

  // The same answers in every case prove no more than as many equal clusters, and the conclusion keeps its bound.
  const equal = await raceToEnd(service.client, await create(current, { cases: inClusters(10), objective: { margin: 0.5, seed: 3 } }), [
    { label: 'cheap', model: model(cheap) },
  ])
  expect(equal.conclusion?.text).toMatch(/^cheap costs 90 % less than current and is at most [\d.]+ points worse\.$/)
  expect(equal.conclusion?.cautions).toEqual([expect.stringContaining('Only 10 clusters')])
})

test('an agent among the arms makes an agent quote: tasks, turns, time, and no price', async () => {
  const server = await startAgentServer({ binding: 'JSONRPC', key: 'sk-agent', says: () => 'label-0' })
  onTestFinished(() => server.close())
  const { id } = await service.client.call('createConnection', {
    body: { kind: 'agent_to_agent', name: 'an agent', agent_card_url: server.cardUrl, api_key: 'sk-agent' },
  })
  await service.client.call('checkConnection', { params: { connection_id: id } })
  const session_id = await create(current)
  await service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1 } })
  const candidates = [{ label: 'agent', model: { kind: 'connection' as const, connection_id: id } }]
  const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: { candidates, max_charge_microusd: '0' } })
  expect(quote).toMatchObject({
    kind: 'agent',
    provider_billed: 'unknown',
    arms: [
      { label: 'current', tasks: 100, turns: 1 },
      { label: 'agent', tasks: 100, turns: null },
    ],
  })
  if (quote.kind !== 'agent') throw new Error('An agent makes an agent quote.')
  expect(quote.arms[1]?.time_bound_ms).toBeGreaterThan(0)
  expect(quote.warnings.map(({ code }) => code)).toContain('rates_unknown')
})
