import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isTerminal } from '../../src/contract/machine.ts'
import { tuneOccurrenceMachine } from '../../src/contract/tuning/monitor.machine.ts'
import type { NewTuneMonitor, TuneOccurrence } from '../../src/contract/tuning/monitors.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, type TestClient, type TestService, startTestService } from '../support/service.ts'
import { pricedModel } from '../support/tuning.ts'

const day = 86_400_000
let service: TestService
let clock: MovingClock
let profile: string
let baseline: string
/** A run that answers the same every time, and next to nothing right. */
let poor: string
let evaluator: string

beforeAll(async () => {
  clock = movingClock(Date.parse('2026-11-23T12:00:00.000Z'))
  service = await startTestService({}, clock)
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const runOf = async (route: string) => {
    // A whole benchmark, drawn by a seed: without one the answers would depend on the run's id.
    const coverage = { mode: 'sample', sample_count: 270, seed: 1 } as const
    const { id } = await quote(service.client, { model: { kind: 'managed', route_id: route }, profiles: [profile], coverage })
    const run = await submit(service.client, id, route)
    await runToEnd(service.client, service.baseUrl, run.id)
    return run.id
  }
  baseline = await runOf('assay/oracle-75')
  poor = await runOf('assay/echo')
  const saved = await service.client.call('createEvaluator', {
    body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, target_from: 'expected' } },
  })
  evaluator = saved.id
})
afterAll(() => service.close())

const create = (changes: Partial<NewTuneMonitor> = {}, client: TestClient = service.client) =>
  client.call('createTuneMonitor', {
    body: {
      name: 'Watch',
      profile_id: profile,
      baseline: { run_id: baseline },
      max_charge_microusd: '0',
      max_monthly_microusd: '0',
      evaluator_version_id: evaluator,
      ...changes,
    },
  })
const occurrences = (monitorId: string) =>
  service.client.call('listTuneOccurrences', { params: { monitor_id: monitorId }, query: { limit: 100 } })
const ended = async (monitorId: string, id: string): Promise<TuneOccurrence> => {
  const find = async () => (await occurrences(monitorId)).find(occurrence => occurrence.id === id)
  await expect.poll(async () => isTerminal(tuneOccurrenceMachine, (await find())?.status ?? 'accepted')).toBe(true)
  const found = await find()
  if (!found) throw new Error(`The occurrence ${id} is not listed.`)
  return found
}
const event = async (monitorId: string, body: { type: 'manual' | 'release'; key?: string } = { type: 'manual' }) =>
  service.client.call('createTuneMonitorEvent', { params: { monitor_id: monitorId }, body })
const outputs = (count: number, passing: number, prefix: string) =>
  Array.from({ length: count }, (_, i) => ({
    id: `${prefix}-${i}`,
    input: `Question ${i}`,
    output: (i * 37) % 100 < passing ? 'right' : 'wrong',
    expected: 'right',
  }))

describe('an event', () => {
  test('runs the benchmark again and is paired with the baseline', async () => {
    const monitor = await create({ baseline: { run_id: poor }, margin: 0.2 })
    expect(monitor.target).toEqual({ model: { kind: 'managed', route_id: 'assay/echo' }, effort: null })
    expect(monitor.baseline).toMatchObject({ run_id: poor, arm: null })
    const { occurrence_id: id, duplicate } = await event(monitor.id, { type: 'release', key: 'v1' })
    expect(duplicate).toBe(false)
    const found = await ended(monitor.id, id)
    expect(found).toMatchObject({ status: 'complete', verdict: 'ok', unscored: 0, failure: null })
    expect(found.difference).toMatchObject({ estimate: 0, level: 0.99 })
    expect(found.n).toBe(monitor.baseline.n)
    expect(await event(monitor.id, { type: 'release', key: 'v1' })).toMatchObject({
      occurrence_id: id,
      status: 'complete',
      duplicate: true,
    })
    const [listed] = await service.client.call('listTuneMonitors', { query: { limit: 1 } })
    expect(listed).toMatchObject({ id: monitor.id, last_verdict: 'ok', last_occurrence: { id, status: 'complete' } })
  })

  test('asks only what the baseline has scores for', async () => {
    const { id } = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-75' },
      profiles: [profile],
      coverage: { mode: 'sample', sample_count: 110, seed: 3 },
    })
    const sampled = await submit(service.client, id, 'sampled')
    await runToEnd(service.client, service.baseUrl, sampled.id)
    const monitor = await create({ baseline: { run_id: sampled.id }, margin: 0.2 })
    const found = await ended(monitor.id, (await event(monitor.id)).occurrence_id)
    expect(found).toMatchObject({ status: 'complete', n: 110, unscored: 0 })
    const run = await service.client.call('getRun', { params: { run_id: found.run_id ?? '' } })
    expect(run.progress.frozen).toBe(110)
  })

  test('calls with the settings and the prompt that its baseline was called with', async () => {
    const set = {
      temperature: 0.3,
      top_p: 0.9,
      model_seed: 7,
      stop: ['###'],
      max_output_tokens: 77,
      system_prompt: 'Answer with a number.',
      prompt_template: 'Solve: {question}',
    }
    const model = { kind: 'managed' as const, route_id: 'assay/echo' }
    const { id } = await quote(service.client, { model, profiles: [profile], execution: set })
    const { id: runId } = await submit(service.client, id, 'set')
    await runToEnd(service.client, service.baseUrl, runId)
    const monitor = await create({ baseline: { run_id: runId } })
    const found = await ended(monitor.id, (await event(monitor.id)).occurrence_id)
    const run = await service.client.call('getRun', { params: { run_id: found.run_id ?? '' } })
    expect(run.execution).toMatchObject(set)
  })

  test('tells a fall and a rise', async () => {
    const fall = await create({ target: { model: { kind: 'managed', route_id: 'assay/echo' }, effort: null } })
    const rise = await create({
      baseline: { run_id: poor },
      target: { model: { kind: 'managed', route_id: 'assay/oracle-75' }, effort: null },
    })
    const [down, up] = [await event(fall.id), await event(rise.id)]
    expect(await ended(fall.id, down.occurrence_id)).toMatchObject({ status: 'complete', verdict: 'regression' })
    expect(await ended(rise.id, up.occurrence_id)).toMatchObject({ status: 'complete', verdict: 'improvement' })
  })

  test('is skipped while the monitor is paused and refused once it is archived', async () => {
    const { id } = await create()
    const patch = (status: 'active' | 'paused' | 'archived') =>
      service.client.call('patchTuneMonitor', { params: { monitor_id: id }, body: { status } })
    expect((await patch('paused')).status).toBe('paused')
    const { occurrence_id } = await event(id)
    expect(await ended(id, occurrence_id)).toMatchObject({ status: 'skipped', skip_reason: 'paused', run_id: null })
    await patch('archived')
    const refused = await service.client.refusal('createTuneMonitorEvent', { params: { monitor_id: id }, body: { type: 'manual' } })
    expect(refused.code).toBe('illegal_transition')
    const back = await service.client.refusal('patchTuneMonitor', { params: { monitor_id: id }, body: { status: 'active' } })
    expect(back.code).toBe('illegal_transition')
  })

  test('is skipped when the key of its creator is revoked', async () => {
    const { id: keyId, key } = await service.client.call('createApiKey', { body: { name: 'ci', scopes: ['tuning:write', 'tuning:read'] } })
    const headers = { authorization: `Bearer ${key}`, 'x-workspace-id': service.workspaceId, 'content-type': 'application/json' }
    const reply = await fetch(`${service.baseUrl}/v1/tune-monitors`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: 'By a key',
        profile_id: profile,
        baseline: { run_id: baseline },
        max_charge_microusd: '0',
        max_monthly_microusd: '0',
      }),
    })
    expect(reply.status).toBe(201)
    const { id } = (await reply.json()) as { id: string } // the contract test walks the shape
    await service.client.call('revokeApiKey', { params: { key_id: keyId } })
    const { occurrence_id } = await event(id)
    expect(await ended(id, occurrence_id)).toMatchObject({ status: 'skipped', skip_reason: 'unauthorized' })
    const refused = await service.client.refusal('queueTuneWorkload', { params: { monitor_id: id }, body: { outputs: outputs(1, 1, 'x') } })
    expect(refused).toMatchObject({ code: 'conflict' })
  })

  test('beyond 60 a minute of one sender is refused on every monitor', async () => {
    clock.advance(60_001)
    const [one, other] = [await create(), await create()]
    for (const { id } of [one, other])
      await service.client.call('patchTuneMonitor', { params: { monitor_id: id }, body: { status: 'paused' } })
    await Promise.all(Array.from({ length: 60 }, (_, i) => event(i % 2 === 0 ? one.id : other.id)))
    const refused = await service.client.refusal('createTuneMonitorEvent', { params: { monitor_id: other.id }, body: { type: 'manual' } })
    expect(refused).toMatchObject({ code: 'rate_limited', status: 429 })
    await service.keyClient.call('createTuneMonitorEvent', { params: { monitor_id: other.id }, body: { type: 'manual' } })
    clock.advance(60_001)
    await event(one.id)
  })

  test('beyond 100 of one sender that have not ended is refused', async () => {
    const { id } = await create()
    await service.client.call('patchTuneMonitor', { params: { monitor_id: id }, body: { status: 'paused' } })
    const sent: string[] = []
    for (let i = 0; i < 100; i++) {
      if (i % 50 === 0) clock.advance(60_001)
      sent.push((await event(id)).occurrence_id)
    }
    for (const occurrence of sent) await ended(id, occurrence)
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    const setStatus = (from: string, to: string) => {
      const { changes } = db
        .prepare(`update tune_occurrences set status = ? where status = ? and monitor_no = (select no from tune_monitors where id = ?)`)
        .run(to, from, id)
      expect(changes).toBe(100)
    }
    clock.advance(60_001)
    setStatus('skipped', 'running')
    const refused = await service.client.refusal('createTuneMonitorEvent', { params: { monitor_id: id }, body: { type: 'manual' } })
    expect(refused).toMatchObject({ code: 'rate_limited', status: 429, message: expect.stringContaining('have not ended') })
    setStatus('running', 'skipped')
    db.close()
    await event(id)
  })

  test('sent again with other content is refused', async () => {
    const { id } = await create()
    await event(id, { type: 'release', key: 'v7' })
    const body = { type: 'manual', key: 'v7' } as const
    expect(await service.client.refusal('createTuneMonitorEvent', { params: { monitor_id: id }, body })).toMatchObject({
      code: 'idempotency_mismatch',
      message: expect.stringContaining('another type'),
    })
  })

  test('needs the baseline, whose run is kept until the monitor is archived', async () => {
    const { client } = service
    const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/echo' }, profiles: [profile] })
    const run = await submit(client, quoteId, 'baseline')
    await runToEnd(client, service.baseUrl, run.id)
    const { id } = await create({ baseline: { run_id: run.id }, name: 'Needs it' })
    const refused = await service.keyClient.refusal('deleteRun', { params: { run_id: run.id } })
    expect(refused).toMatchObject({ code: 'conflict', message: expect.stringContaining('"Needs it"') })
    await client.call('patchTuneMonitor', { params: { monitor_id: id }, body: { status: 'archived' } })
    await client.call('deleteRun', { params: { run_id: run.id } })
  })
})

describe('a workload', () => {
  test('of unchanged quality raises no alarm, and known outputs are skipped', async () => {
    const { id } = await create()
    const send = (from: number) =>
      service.client.call('queueTuneWorkload', { params: { monitor_id: id }, body: { outputs: outputs(200, 75, 'calm').slice(from) } })
    const first = await ended(id, (await send(100)).occurrence_id)
    expect(first).toMatchObject({ status: 'complete', verdict: 'ok', n: 100, unscored: 0, duplicates: 0, trigger: { type: 'outputs' } })
    const second = await ended(id, (await send(0)).occurrence_id)
    expect(second).toMatchObject({ status: 'complete', n: 100, duplicates: 100 })
    expect(second.detector?.path[0]?.output).toBe(101)
    const third = await ended(id, (await send(0)).occurrence_id)
    expect(third).toMatchObject({ status: 'complete', verdict: null, n: 0, duplicates: 200, conflicting_ids: [] })
    const changed = outputs(2, 75, 'calm').map(sent => ({ ...sent, output: 'changed' }))
    const body = { outputs: changed }
    const fourth = await ended(id, (await service.client.call('queueTuneWorkload', { params: { monitor_id: id }, body })).occurrence_id)
    expect(fourth).toMatchObject({ n: 0, duplicates: 2, conflicting_ids: ['calm-0', 'calm-1'] })
    expect(third.reason).toContain('known already')
  })

  test('of worse quality raises an alarm with the outputs behind it', async () => {
    const { id } = await create({ stream: { tolerance: 0.02, false_alarm_every: 1000 } })
    const { occurrence_id } = await service.client.call('queueTuneWorkload', {
      params: { monitor_id: id },
      body: { outputs: outputs(300, 5, 'fall') },
    })
    const found = await ended(id, occurrence_id)
    expect(found).toMatchObject({ status: 'complete', verdict: 'regression', n: 300 })
    const [alarm] = found.detector?.alarms ?? []
    expect(alarm?.kind).toBe('regression')
    expect(alarm?.outputs[0]).toMatchObject({ value: 0, output: 'wrong' })
    expect(found.detector?.path.some(({ fall }) => fall >= 1000)).toBe(true)
  })

  test('of few outputs is inconclusive', async () => {
    const { id } = await create()
    const { occurrence_id } = await service.client.call('queueTuneWorkload', {
      params: { monitor_id: id },
      body: { outputs: outputs(10, 75, 'few') },
    })
    expect(await ended(id, occurrence_id)).toMatchObject({ verdict: 'inconclusive', n: 10 })
  })
})

test('a plain array is paged by the header Next-Cursor', async () => {
  const first = await service.fetch('/v1/tune-monitors?limit=1')
  const cursor = first.headers.get('next-cursor')
  expect(await first.json()).toHaveLength(1)
  expect(cursor).toEqual(expect.any(String))
  const second = await service.fetch(`/v1/tune-monitors?limit=100&cursor=${cursor}`)
  expect(second.headers.get('next-cursor')).toBeNull()
  expect(((await second.json()) as unknown[]).length).toBeGreaterThan(1)
})

test('a schedule that was missed for weeks runs once', async () => {
  const { id, next_run_at } = await create({ schedule: 'day' })
  expect(next_run_at).toBe(new Date(clock.now().getTime() + day).toISOString())
  clock.advance(20 * day + 1)
  await service.restart()
  await expect.poll(async () => (await occurrences(id)).length).toBe(1)
  const [only] = await occurrences(id)
  expect(await ended(id, only?.id ?? '')).toMatchObject({ status: 'complete', trigger: { type: 'schedule', occurred_at: next_run_at } })
  const monitor = (await service.client.call('listTuneMonitors', { query: { limit: 100 } })).find(each => each.id === id)
  expect(monitor?.next_run_at).toBe(new Date(Date.parse(next_run_at ?? '') + 20 * day).toISOString())
})

test('a clock that was days ahead puts no monitor off', async () => {
  clock.advance(3 * day)
  const { id } = await create({ schedule: 'hour' })
  clock.advance(-3 * day)
  await service.restart()
  const next = async () =>
    (await service.client.call('listTuneMonitors', { query: { limit: 100 } })).find(each => each.id === id)?.next_run_at
  await expect.poll(async () => Date.parse((await next()) ?? '')).toBeLessThanOrEqual(clock.now().getTime() + day / 24)
})

test.each([
  ['a limit below what is known to be billed', '0'],
  ['a limit below what its run can be billed', '1'],
])('a schedule of a key that was given %s is skipped with the sentence, and begins and asks nothing', async (_, limit) => {
  const paid = await pricedModel(service.client, 'Billed', () => '#### 13', 1_000_000)
  onTestFinished(() => paid.server.close())
  const model = { kind: 'connection', connection_id: paid.id } as const
  const { id: quoteId } = await quote(service.client, {
    model,
    profiles: [profile],
    coverage: { mode: 'sample', sample_count: 3, seed: 1 },
  })
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, quoteId)).id)
  const { key, id: keyId } = await service.client.call('createApiKey', {
    body: { name: 'Lowered', scopes: ['tuning:write', 'tuning:read'], provider_ceiling_microusd: '10000000' },
  })
  const monitor = await create(
    { baseline: { run_id: run.id }, evaluator_version_id: undefined, schedule: 'day', max_monthly_microusd: '10000000' },
    clientFor(service.baseUrl, key, service.workspaceId),
  )
  const calls = paid.server.requests()
  await service.client.call('setKeyCeiling', { params: { key_id: keyId }, body: { provider_ceiling_microusd: limit } })
  clock.advance(day + 1)
  await service.restart()
  await expect.poll(async () => (await occurrences(monitor.id)).length).toBe(1)
  const [only] = await occurrences(monitor.id)
  expect(await ended(monitor.id, only?.id ?? '')).toMatchObject({
    status: 'skipped',
    skip_reason: 'cap_reached',
    reason: expect.stringContaining('provider spending limit'),
    run_id: null,
    spent_microusd: '0',
  })
  expect(paid.server.requests()).toBe(calls)
})

test('a monitor of something unknown is refused', async () => {
  const other = crypto.randomUUID()
  expect((await service.client.refusal('createTuneMonitor', { body: { ...body(), baseline: { run_id: other } } })).code).toBe('not_found')
  expect((await service.client.refusal('createTuneMonitor', { body: { ...body(), session_id: other } })).code).toBe('validation_error')
  expect((await service.client.refusal('createTuneMonitor', { body: { ...body(), evaluator_version_id: other } })).code).toBe(
    'validation_error',
  )
  const target = { model: { kind: 'managed', route_id: 'assay/none' } } as const
  expect((await service.client.refusal('createTuneMonitor', { body: { ...body(), target } })).message).toContain('assay/none')
})
const body = () => ({
  name: 'Watch',
  profile_id: profile,
  baseline: { run_id: baseline },
  max_charge_microusd: '0',
  max_monthly_microusd: '0',
})
