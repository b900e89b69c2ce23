import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import type { NewTuneMonitor, TuneOccurrence } from '../../src/contract/tuning/monitors.schemas.ts'
import { wilsonInterval } from '../../src/engine/statistics/proportions.ts'
import { connectJudge, saveJudge, startJudge } from '../support/judging.ts'
import { pricedRoute } from '../support/priced-quote.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { backfill, connect, startProvider } from '../support/trace-providers/connected.ts'
import { fakeTraces, iso } from '../support/trace-providers/scripted-server.ts'
import { newSession, pricedModel, type PricedModel, raceToEnd } from '../support/tuning.ts'

const begin = Date.parse('2026-11-10T00:00:00Z')
let service: TestService
let current: PricedModel
let cheap: PricedModel
let evaluator: string
let group: { group_id: string; session_id: string }

/** 80 of 100 right. */
const mostly = (question: string) => {
  const ticket = Number(/Ticket (\d+)/.exec(question)?.[1])
  return ticket % 5 === 0 ? 'wrong' : `label-${ticket % 3}`
}

beforeAll(async () => {
  service = await startTestService()
  current = await pricedModel(service.client, 'current', mostly, 10_000_000)
  cheap = await pricedModel(service.client, 'cheap', mostly, 1_000_000)
  const model = ({ id }: PricedModel) => ({ kind: 'connection' as const, connection_id: id })
  const { call, ...body } = newSession(100)
  if (!call) throw new Error('A session has a call.')
  const { id } = await service.client.call('createTuneSession', { body: { ...body, call: { ...call, model: model(current) } } })
  const session = await raceToEnd(service.client, id, [{ label: 'cheap', model: model(cheap) }], 'full')
  group = { group_id: session.groups[0]?.id ?? '', session_id: id }
  const saved = await service.client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, target_from: 'expected' } },
  })
  evaluator = saved.id
})
afterAll(async () => {
  await current.server.close()
  await cheap.server.close()
  await service.close()
})

const create = (changes: Partial<NewTuneMonitor> = {}) =>
  service.client.call('createTuneMonitor', {
    body: {
      name: 'Watch',
      session_id: group.session_id,
      baseline: { group_id: group.group_id, arm: 'current' },
      max_charge_microusd: '0',
      max_monthly_microusd: '0',
      evaluator_version_id: evaluator,
      ...changes,
    },
  })
const send = async (monitor_id: string, body: Parameters<typeof service.client.call<'queueTuneWorkload'>>[1]['body']) =>
  ended(monitor_id, (await service.client.call('queueTuneWorkload', { params: { monitor_id }, body })).occurrence_id)
const refusal = (monitor_id: string, body: Parameters<typeof service.client.call<'queueTuneWorkload'>>[1]['body']) =>
  service.client.refusal('queueTuneWorkload', { params: { monitor_id }, body })
async function ended(monitor_id: string, id: string): Promise<TuneOccurrence> {
  const find = async () =>
    (await service.client.call('listTuneOccurrences', { params: { monitor_id }, query: { limit: 100 } })).find(one => one.id === id)
  await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await find())?.status ?? 'accepted')).toBe(true)
  const found = await find()
  if (!found) throw new Error(`The occurrence ${id} is not listed.`)
  return found
}

test('the baseline of a pass/fail session is a proportion with its Wilson interval', async () => {
  const { baseline } = await create()
  const wilson = wilsonInterval(80, 100, 0.95).value
  expect(baseline).toMatchObject({
    n: 100,
    mean: 0.8,
    low: expect.closeTo(wilson?.low ?? 0, 10),
    high: expect.closeTo(wilson?.high ?? 0, 10),
  })
})

describe('a workload of traces', () => {
  test('grades stored traces by id and by integration, each once', async () => {
    const provider = await startProvider('langfuse', fakeTraces(5, begin))
    onTestFinished(() => provider.close())
    const { id: integration_id } = await connect(service.client, 'langfuse', provider.url)
    await backfill(service.client, integration_id, { from: iso(begin), to: iso(begin + 3_600_000) })
    const { items } = await service.client.call('listTraces', {})
    const monitor = await create()
    const [first, second] = items
    const some = await send(monitor.id, { trace_ids: [first?.id ?? '', second?.id ?? ''] })
    expect(some).toMatchObject({ status: 'complete', trigger: { type: 'traces' }, n: 2, duplicates: 0 })
    const window = { from: iso(begin - 1000), to: iso(begin + 3_600_000) }
    const all = await send(monitor.id, { integration_id, ...window })
    expect(all).toMatchObject({ status: 'complete', trigger: { type: 'integration' }, n: 3, duplicates: 2 })
    const none = await send(monitor.id, { integration_id, from: iso(begin - 2000), to: iso(begin - 1000) })
    expect(none).toMatchObject({ status: 'complete', verdict: null, n: 0, duplicates: 0, reason: 'There were no outputs to grade.' })
  })

  test('that names an unknown trace or integration is refused', async () => {
    const { id } = await create()
    const unknown = crypto.randomUUID()
    expect(await refusal(id, { trace_ids: [unknown] })).toMatchObject({ code: 'not_found', message: expect.stringContaining(unknown) })
    const window = { from: iso(begin), to: iso(begin + 1000) }
    expect(await refusal(id, { integration_id: unknown, ...window })).toMatchObject({ code: 'not_found' })
  })
})

test('outputs of one cluster give the drift detector one score, whenever they come', async () => {
  const { id } = await create({ stream: { tolerance: 0.02, false_alarm_every: 100 } })
  const outputs = (from: number, cluster: string | undefined) =>
    Array.from({ length: 60 }, (_, i) => ({
      id: `${from + i}`,
      input: `Question ${i}`,
      output: 'wrong',
      expected: 'right',
      ...(cluster && { cluster }),
    }))
  const one = await send(id, { outputs: outputs(0, 'a long quarrel') })
  expect(one).toMatchObject({ n: 60, unscored: 0, verdict: 'inconclusive', detector: { alarms: [], path: [{ output: 1 }] } })
  expect(one.reason).toContain('1 independent score')
  const more = await send(id, { outputs: outputs(100, 'a long quarrel') })
  expect(more).toMatchObject({ n: 60, detector: { path: [], mean: null } })
  const [listed] = await service.client.call('listTuneMonitors', { query: { limit: 1 } })
  expect(listed).toMatchObject({ id, outputs_seen: 1 })
  const wilson = wilsonInterval(0, 60, 0.95).value
  expect(await send(id, { outputs: outputs(200, undefined) })).toMatchObject({
    verdict: 'regression',
    detector: { mean: 0, interval: { low: 0, high: expect.closeTo(wilson?.high ?? 0, 10), level: 0.95, method: 'wilson' } },
  })
})

test('the same event and the same outputs, sent at once by many, count once', async () => {
  const { id: monitor_id } = await create()
  const params = { monitor_id }
  const event = { type: 'release' as const, key: 'build 4711' }
  const events = await Promise.all(Array.from({ length: 8 }, () => service.client.call('createTuneMonitorEvent', { params, body: event })))
  expect(new Set(events.map(({ occurrence_id: id }) => id)).size).toBe(1)
  expect(events.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
  const outputs = Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, input: `Question ${i}`, output: 'right', expected: 'right' }))
  const sent = await Promise.all(Array.from({ length: 5 }, () => send(monitor_id, { outputs })))
  expect(sent.reduce((sum, { n }) => sum + (n ?? 0), 0)).toBe(40)
  const [listed] = await service.client.call('listTuneMonitors', { query: { limit: 1 } })
  expect(listed).toMatchObject({ id: monitor_id, outputs_seen: 40 })
  await ended(monitor_id, events[0]?.occurrence_id ?? '')
})

test('pausing, resuming and archiving at once leave a monitor in one state', async () => {
  const { id: monitor_id } = await create({ schedule: 'hour' })
  const patch = (status: 'active' | 'paused' | 'archived') =>
    service.client.call('patchTuneMonitor', { params: { monitor_id }, body: { status } })
  const ends = await Promise.allSettled([patch('paused'), patch('active'), patch('archived'), patch('active'), patch('archived')])
  for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'illegal_transition' })
  const [listed] = await service.client.call('listTuneMonitors', { query: { limit: 1 } })
  expect(listed).toMatchObject({ id: monitor_id, status: 'archived', next_run_at: null })
})

describe('an occurrence is skipped', () => {
  test('when its judge must be paid and the month’s limit leaves nothing', async () => {
    const { models, routeId } = await pricedRoute(service)
    onTestFinished(() => models.close())
    const judges = [{ model: { kind: 'managed', route_id: routeId } }]
    const judge = await saveJudge(service.client, '', { judges })
    const { id: monitor_id } = await create({ evaluator_version_id: judge.id, max_charge_microusd: '1000' })
    const outputs = [{ input: 'Question', output: 'Answer' }]
    expect(await send(monitor_id, { outputs })).toMatchObject({ status: 'skipped', skip_reason: 'cap_reached', spent_microusd: '0' })
  })

  test('when a newer event of the monitor waits', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const judge = await startJudge(async () => {
      await held
      return { tool: { reasoning: 'ok', verdict: 'pass' } }
    })
    onTestFinished(() => judge.close())
    const evaluator_version_id = (await saveJudge(service.client, await connectJudge(service.client, judge))).id
    // As many as the lane of monitors takes at a time.
    for (let i = 0; i < 4; i++) {
      const body = { outputs: [{ input: `Question ${i}`, output: 'Answer' }] }
      await service.client.call('queueTuneWorkload', { params: { monitor_id: (await create({ evaluator_version_id })).id }, body })
    }
    await expect.poll(() => judge.asked.length).toBe(4)
    const { id: monitor_id } = await create({ max_monthly_microusd: '100000000' })
    const event = () => service.client.call('createTuneMonitorEvent', { params: { monitor_id }, body: { type: 'manual' } })
    const [first, last] = [await event(), await event()]
    release()
    expect(await ended(monitor_id, first.occurrence_id)).toMatchObject({ status: 'skipped', skip_reason: 'superseded', run_id: null })
    expect(await ended(monitor_id, last.occurrence_id)).toMatchObject({ status: 'complete', run_id: expect.any(String) })
  })
})
