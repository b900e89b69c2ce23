import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ErrorBody } from '../../src/contract/error.schemas.ts'
import type { Scope } from '../../src/contract/scopes.ts'
import { WebhookWithSecret } from '../../src/contract/webhooks/webhooks.schemas.ts'
import { idsFrom } from '../../src/service/kernel.ts'
import { createEventQueue } from '../../src/service/webhooks/queue-events.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { writeSetting } from '../../src/storage/settings.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { advanceFully } from '../support/releases.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'
import { pricedModel } from '../support/tuning.ts'

interface Received {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

let service: TestService
let clock: MovingClock
let received: Received[]
let answer: (request: Received) => { status: number; location?: string }
/** Whether it keeps a response and answers it itself. */
let hold: (request: Received, response: ServerResponse) => boolean
let url: string
let closeReceiver: () => Promise<void>

beforeAll(async () => {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one = { path: request.url ?? '', headers, body }
      received.push(one)
      if (hold(one, response)) return
      const { status, location } = answer(one)
      response.writeHead(status, location ? { location } : {}).end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  closeReceiver = () =>
    new Promise(resolve => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  clock = movingClock()
  service = await startTestService({}, clock)
})
afterAll(async () => {
  await service.close()
  await closeReceiver()
})
beforeEach(() => {
  received = []
  answer = () => ({ status: 204 })
  hold = () => false
})

async function register(more: object = {}) {
  return service.client.call('createWebhook', { body: { name: 'Chat', url, ...more } })
}
const remove = (id: string) => service.client.call('deleteWebhook', { params: { webhook_id: id } })
const deliveries = async (id: string) => (await service.client.call('listWebhookDeliveries', { params: { webhook_id: id } })).items

async function endedRun() {
  const { client, baseUrl } = service
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/oracle-75' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 2, seed: 1 },
  })
  return runToEnd(client, baseUrl, (await submit(client, id)).id)
}

test('the end of a run is told once, signed, with ids and figures and without answers', async () => {
  const hook = await register({ events: ['run.ended'] })
  const run = await endedRun()
  await expect.poll(() => received.length).toBe(1)
  const [request] = received
  if (!request) throw new Error('Nothing was received.')
  expect(new Verifier(hook.signing_secret).verify(request.body, request.headers)).toMatchObject({
    type: 'run.ended',
    data: { workspace_id: service.workspaceId, run_id: run.id, status: 'complete', result_version: 1, scores: [{ n: 2 }] },
  })
  expect(request.body).not.toContain('prompt')
  await expect.poll(async () => (await deliveries(hook.id))[0]?.status).toBe('delivered')
  expect(await deliveries(hook.id)).toMatchObject([{ id: request.headers['webhook-id'], tries: 1, http_status: 204 }])
  await service.restart()
  expect(received).toHaveLength(1)
  await remove(hook.id)
})

test('of two changes at once neither undoes the other', async () => {
  const hook = await register()
  const params = { webhook_id: hook.id }
  const [, , rotated] = await Promise.all([
    service.client.call('changeWebhook', { params, body: { name: 'Renamed', status: 'disabled' } }),
    service.client.call('changeWebhook', { params, body: { url: url.replace('/hook', '/moved') } }),
    service.client.call('rotateWebhookSecret', { params }),
  ])
  const { items } = await service.client.call('listWebhooks', {})
  expect(items.find(({ id }) => id === hook.id)).toMatchObject({ name: 'Renamed', status: 'disabled', url: url.replace('/hook', '/moved') })
  await service.client.call('changeWebhook', { params, body: { status: 'active' } })
  await service.client.call('testWebhook', { params })
  expect(() => new Verifier(rotated.signing_secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})).not.toThrow()
  await remove(hook.id)
})

test('after a rotation both secrets sign for a day, and no list shows either', async () => {
  const hook = await register()
  const params = { webhook_id: hook.id }
  const { signing_secret: current } = await service.client.call('rotateWebhookSecret', { params })
  await service.client.call('testWebhook', { params })
  for (const secret of [hook.signing_secret, current])
    expect(() => new Verifier(secret).verify(received[0]?.body ?? '', received[0]?.headers ?? {})).not.toThrow()
  clock.advance(25 * 3_600_000)
  await service.client.call('testWebhook', { params })
  expect(received.map(({ headers }) => headers['webhook-signature']?.split(' ').length)).toEqual([2, 1])
  const listed = JSON.stringify(await service.client.call('listWebhooks', {}))
  expect(listed).not.toContain(current)
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  const stored = db.prepare('select secret from webhooks').pluck().all()
  db.close()
  expect(stored.map(cipher => Buffer.from(cipher as Uint8Array).includes(current.slice(6)))).toEqual([false])
  await remove(hook.id)
})

test('a failed delivery is tried again with the same id and a new signature, then is dead until a person sends it again', async () => {
  const hook = await register({ events: ['run.ended'] })
  answer = () => ({ status: 503 })
  await endedRun()
  await expect.poll(async () => (await deliveries(hook.id))[0]?.tries).toBe(1)
  for (let tries = 2; tries <= 10; tries++) {
    // A start looks at once for what is due.
    await service.restart(() => clock.advance(25 * 3_600_000))
    await expect.poll(async () => (await deliveries(hook.id))[0]?.tries).toBe(tries)
  }
  const [dead] = await deliveries(hook.id)
  expect(dead).toMatchObject({ status: 'dead', next_try_at: null, http_status: 503, message: expect.stringContaining('HTTP 503') })
  expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([dead?.id]))
  expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10)
  const { items } = await service.client.call('listWebhooks', {})
  expect(items.find(({ id }) => id === hook.id)?.dead_deliveries).toBe(1)
  answer = () => ({ status: 200 })
  const params = { webhook_id: hook.id, delivery_id: dead?.id ?? '' }
  expect(await service.client.call('retryWebhookDelivery', { params })).toMatchObject({ status: 'pending', tries: 0 })
  await expect.poll(async () => (await deliveries(hook.id))[0]?.status).toBe('delivered')
  expect((await service.client.refusal('retryWebhookDelivery', { params })).code).toBe('illegal_transition')
  await remove(hook.id)
})

test('one that does not answer delays no other, and its dead deliveries are bounded', async () => {
  const slow = await register({ name: 'Slow', events: ['run.ended'], url: url.replace('/hook', '/slow') })
  const quick = await register({ name: 'Quick', events: ['run.ended'] })
  const held: ServerResponse[] = []
  hold = ({ path }, response) => path === '/slow' && held.push(response) > 0
  // More than are sent to one address at a time.
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  const add = db.prepare(
    "insert into webhook_deliveries (id, webhook_id, event, payload, status, tries, next_try_at, created_at, finished_at) values (?, ?, 'run.ended', '{}', ?, 0, ?, ?, ?)",
  )
  const now = clock.now().toISOString()
  for (let i = 0; i < 20; i++) add.run(crypto.randomUUID(), slow.id, 'pending', now, now, null)
  for (let i = 0; i < 1_000; i++) add.run(crypto.randomUUID(), slow.id, 'dead', null, now, now)
  db.close()
  await endedRun()
  await expect.poll(() => received.filter(({ path }) => path === '/hook').length).toBe(1)
  expect(held).toHaveLength(4)
  hold = () => false
  answer = ({ path }) => ({ status: path === '/slow' ? 410 : 200 })
  for (const response of held) response.writeHead(410).end()
  const seen = async () => (await service.client.call('listWebhooks', {})).items.find(({ id }) => id === slow.id)
  await expect.poll(seen).toMatchObject({ status: 'disabled', dead_deliveries: 1_000 })
  await remove(slow.id)
  await remove(quick.id)
})

test('many ends at once are queued a slice at a time, and what waits for an address is bounded', async () => {
  const hooks = await Promise.all(Array.from({ length: 49 }, () => register({ events: ['run.ended'], url: url.replace('/hook', '/slow') })))
  const full = await register({ events: ['run.ended'], url: url.replace('/hook', '/slow') })
  hold = ({ path }) => path === '/slow'
  const run = await endedRun()
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  const add = db.prepare(
    "insert into webhook_deliveries (id, webhook_id, event, payload, status, tries, next_try_at, created_at) values (?, ?, 'run.ended', '{}', 'pending', 0, '2999', ?)",
  )
  db.transaction(() => {
    for (let i = 0; i < 5_000; i++) add.run(crypto.randomUUID(), full.id, clock.now().toISOString())
    // As if 200 more runs had ended.
    db.prepare(
      `insert into transitions (resource, resource_id, event, from_state, to_state, at) select resource, resource_id, event, from_state, to_state, at
         from transitions, (select value from json_each('[${'0,'.repeat(199)}0]')) where resource = 'run' and resource_id = ? and to_state = 'complete'`,
    ).run(run.id)
  })
  const count = (id: string, status: string) =>
    db.prepare('select count(*) from webhook_deliveries where webhook_id = ? and status = ?').pluck().get(id, status)
  const total = db.prepare('select count(*) from webhook_deliveries').pluck()
  const seen = [Number(total.get())]
  let isOver = false
  const look = () => {
    if (isOver) return
    seen.push(Number(total.get()))
    setImmediate(look)
  }
  look()
  await endedRun()
  await expect.poll(() => count(hooks[0]?.id ?? '', 'pending')).toBe(202)
  isOver = true
  const queuedAtOnce = seen.map((now, i) => now - (seen[i - 1] ?? now))
  expect(Math.max(...queuedAtOnce)).toBeLessThan(600)
  expect([count(full.id, 'pending'), count(full.id, 'dead')]).toEqual([5_000, 202])
  db.close()
  const dead = await service.client.call('listWebhookDeliveries', { params: { webhook_id: full.id }, query: { status: 'dead' } })
  expect(dead.items[0]).toMatchObject({ message: expect.stringContaining('More than 5000 deliveries waited') })
  for (const { id } of [...hooks, full]) await remove(id)
})

test('a workspace has so many at most, however many are registered at once', async () => {
  const ask = async () => {
    const reply = await service.fetch('/v1/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'One more', url }),
    })
    const body: unknown = await reply.json()
    return reply.ok ? { made: WebhookWithSecret.parse(body).id } : { status: reply.status, ...ErrorBody.parse(body).error }
  }
  const replies = await Promise.all(Array.from({ length: 60 }, ask))
  const made = replies.flatMap(reply => ('made' in reply ? [reply.made] : []))
  expect(made).toHaveLength(50)
  expect(replies.find(reply => 'status' in reply)).toMatchObject({
    status: 409,
    code: 'conflict',
    message: expect.stringContaining('has 50 webhooks'),
  })
  for (const id of made) await remove(id)
})

test('a redirect is not followed, and 410 disables the webhook', async () => {
  const hook = await register()
  answer = () => ({ status: 302, location: url.replace('/hook', '/elsewhere') })
  const params = { webhook_id: hook.id }
  const redirected = await service.client.call('testWebhook', { params })
  expect(redirected).toMatchObject({ status: 'dead', http_status: 302, message: expect.stringContaining('redirects are never followed') })
  expect(received.map(({ path }) => path)).toEqual(['/hook'])
  answer = () => ({ status: 410 })
  await service.client.call('testWebhook', { params })
  const [disabled] = (await service.client.call('listWebhooks', {})).items
  expect(disabled).toMatchObject({ status: 'disabled', disabled_reason: expect.stringContaining('410') })
  expect((await service.client.refusal('testWebhook', { params })).code).toBe('illegal_transition')
  await endedRun()
  await service.client.call('changeWebhook', { params, body: { status: 'active' } })
  await service.restart()
  expect((await deliveries(hook.id)).map(({ event }) => event)).toEqual(['webhook.test', 'webhook.test'])
  await remove(hook.id)
})

describe('addresses', () => {
  test.each([
    ['a private network', 'https://10.0.0.1/hook', 'validation_error'],
    ['plain http to a public address', 'http://example.com/hook', 'validation_error'],
    ['a link-local address', 'http://169.254.169.254/latest', 'validation_error'],
  ])('%s is refused', async (_name, address, code) => {
    expect((await service.client.refusal('createWebhook', { body: { name: 'x', url: address } })).code).toBe(code)
  })

  test('a key cannot name a private network', async () => {
    const body = { name: 'x', url: 'https://10.0.0.1/', allow_private: true }
    expect((await service.keyClient.refusal('createWebhook', { body })).code).toBe('human_approval_required')
  })

  test('Assay itself is not called', async () => {
    const refused = await service.client.refusal('createWebhook', { body: { name: 'x', url: `${service.baseUrl}/v1/meta` } })
    expect(refused.code).toBe('validation_error')
  })
})

test('a webhook is disabled with the key that registered it, goes on with a rolled one, and belongs to who enables it', async () => {
  const made = async () => {
    const key = await service.client.call('createApiKey', {
      body: { name: `hooks ${crypto.randomUUID()}`, scopes: ['workspace:read', 'workspace:write', 'runs:read'] },
    })
    const client = clientFor(service.baseUrl, key.key, service.workspaceId)
    const hook = await client.call('createWebhook', { body: { name: 'By a key', url, events: ['run.ended'] } })
    return { id: key.id, client, hook }
  }
  const [revoked, rolled] = [await made(), await made()]
  await service.client.call('revokeApiKey', { params: { key_id: revoked.id } })
  await service.client.call('rollApiKey', { params: { key_id: rolled.id }, body: { overlap: 'none' } })
  const run = await endedRun()
  await expect.poll(() => received.length).toBe(1)
  expect(received[0]?.body).toContain(run.id)
  const shown = async (id: string) => (await service.client.call('listWebhooks', {})).items.find(hook => hook.id === id)
  expect(await shown(revoked.hook.id)).toMatchObject({ status: 'disabled', disabled_reason: expect.stringContaining('its key has ended') })
  expect(await deliveries(revoked.hook.id)).toEqual([])
  expect((await shown(rolled.hook.id))?.status).toBe('active')

  await service.client.call('changeWebhook', { params: { webhook_id: revoked.hook.id }, body: { status: 'active' } })
  await endedRun()
  await expect.poll(() => received.length).toBe(3)
  expect((await shown(revoked.hook.id))?.status).toBe('active')
  for (const { hook } of [revoked, rolled]) await remove(hook.id)
})

test('a key is told, and shown, only of what it may read', async () => {
  const made = async (scopes: readonly Scope[]) => {
    const { key } = await service.client.call('createApiKey', { body: { name: `hooks ${crypto.randomUUID()}`, scopes: [...scopes] } })
    return clientFor(service.baseUrl, key, service.workspaceId)
  }
  const [blind, reader] = [
    await made(['workspace:read', 'workspace:write']),
    await made(['workspace:read', 'workspace:write', 'runs:read']),
  ]
  const body = { name: 'Ends', url, events: ['run.ended'] as const }
  const refused = await blind.refusal('createWebhook', { body: { ...body, events: [...body.events] } })
  expect(refused).toMatchObject({ code: 'missing_scope', message: expect.stringContaining('runs:read, which the event run.ended needs') })
  const { id } = await reader.call('createWebhook', { body: { ...body, events: [...body.events] } })
  const params = { webhook_id: id }
  for (const change of [{ url: `${url}/elsewhere` }, { events: ['schedule.paused' as const] }])
    expect((await blind.refusal('changeWebhook', { params, body: change })).code).toBe('missing_scope')
  expect((await reader.refusal('changeWebhook', { params, body: { events: ['budget.reached'] } })).code).toBe('missing_scope')
  const run = await endedRun()
  await expect.poll(() => received.length).toBe(1)
  const payloads = async (client: typeof reader) =>
    (await client.call('listWebhookDeliveries', { params })).items.map(delivery => delivery.payload)
  expect(JSON.stringify(await payloads(reader))).toContain(run.id)
  expect(await payloads(blind)).toEqual([null])
  const last = async (client: typeof reader) => (await client.call('listWebhooks', {})).items.find(hook => hook.id === id)?.last_delivery
  expect(await last(blind)).toMatchObject({ event: 'run.ended', payload: null })
  await blind.call('changeWebhook', { params, body: { name: 'Renamed' } })
  await remove(id)
})

test('a key does not enable a private address that a person has disabled', async () => {
  const body = { name: 'Inside', url: 'https://10.0.0.1/hook', allow_private: true }
  const { id } = await service.client.call('createWebhook', { body })
  const params = { webhook_id: id }
  await service.client.call('changeWebhook', { params, body: { status: 'disabled' } })
  const refused = await service.keyClient.refusal('changeWebhook', { params, body: { status: 'active' } })
  expect(refused.code).toBe('human_approval_required')
  await remove(id)
})

test.each([
  ['schedule.paused', []],
  ['run.ended', ['scores']],
  ['budget.reached', ['schedules', 'monitors']],
] as const)('a webhook that wants %s makes the service compute %j', async (event, computed) => {
  const hook = await register({ events: [event] })
  await endedRun()
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  const asked = new Set<string>()
  const none = (name: string) => () => {
    asked.add(name)
    return []
  }
  const events = createEventQueue(
    { db, clock, ids: idsFrom(clock) },
    { scores: none('scores'), budgets: [none('schedules'), none('monitors')] },
  )
  db.transaction(() => writeSetting(db, 'webhooks_read_to', 0))
  while (events.queueSome());
  db.close()
  expect([...asked]).toEqual(computed)
  await remove(hook.id)
})

test('a budget of which 80 % is used is told once', async () => {
  const hook = await register({ events: ['budget.reached', 'schedule.paused'] })
  const body = {
    name: 'Hourly',
    cron: '0 * * * *',
    terms: {
      models: [{ kind: 'managed' as const, route_id: 'assay/oracle-75' }],
      selection: { profile_ids: [await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')] },
      coverage: { mode: 'sample' as const, sample_count: 2, seed: 1 },
      max_charge_microusd: '0',
    },
    max_monthly_microusd: '100',
  }
  const schedule = await service.client.call('createSchedule', { body })
  // What ended occurrences have cost; a paid run would do the same with more to prepare.
  const use = (spent: number) => {
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    const month = clock.now().toISOString().slice(0, 7)
    const no = db.prepare('select no from schedules where id = ?').pluck().get(schedule.id)
    db.prepare(
      "insert into schedule_occurrences (id, schedule_no, due_at, status, month, spent_microusd, created_at) values (?, ?, ?, 'ended', ?, ?, ?)",
    ).run(crypto.randomUUID(), no, clock.now().toISOString(), month, spent, clock.now().toISOString())
    db.close()
  }
  use(79)
  await endedRun()
  use(1)
  await endedRun()
  await endedRun()
  await expect.poll(() => received.length).toBe(1)
  expect(JSON.parse(received[0]?.body ?? '{}')).toMatchObject({
    type: 'budget.reached',
    data: { kind: 'schedule', schedule_id: schedule.id, limit_microusd: '100', used_microusd: '80' },
  })
  await expect.poll(async () => (await deliveries(hook.id)).map(({ status }) => status)).toEqual(['delivered'])
  await service.restart()
  expect(received).toHaveLength(1)
  await remove(hook.id)
})

describe('what else is told, once each', () => {
  const told = async (id: string) => {
    await expect.poll(() => received.length).toBe(1)
    // A stop before the answer was read would send it again.
    await expect.poll(async () => (await deliveries(id)).map(({ status }) => status)).toEqual(['delivered'])
    await service.restart()
    expect(received).toHaveLength(1)
    return JSON.parse(received[0]?.body ?? '{}')
  }

  test('a release decision that waits for a person', async () => {
    const { client } = service
    const hook = await register({ events: ['verdict.needed'] })
    const { latest_version: version } = await client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
    const tasks = { source_ref: version?.source_ref ?? '', split: 'test' as const, task_ids: ['awp-0001', 'awp-0002'] }
    const groups = [{ key: 'main', title: 'main', weight: 1, critical: false, selection: { task_selections: [tasks] } }]
    const suite = await client.call('createReleaseSuite', { body: { name: 'Math', groups } })
    const rules = [{ kind: 'min_score' as const, key: 'score', threshold: 0.5 }]
    const policy = await client.call('createReleasePolicy', { body: { name: 'Ship', rules } })
    const candidate = { label: 'oracle', model: { kind: 'managed' as const, route_id: 'assay/oracle-100' } }
    const { id } = await client.call('createReleaseDecision', {
      body: { name: 'Release 7', candidate, suite_version_id: suite.id, policy_id: policy.id, max_charge_microusd: '0' },
    })
    expect((await advanceFully(service, id)).status).toBe('awaiting_human')
    expect(await told(hook.id)).toMatchObject({ type: 'verdict.needed', data: { decision_id: id, name: 'Release 7' } })
    await remove(hook.id)
  })

  test('a regression that a monitor found', async () => {
    const { client, baseUrl } = service
    const hook = await register({ events: ['monitor.alarm'] })
    const profile = await profileId(client, 'arithmetic-word-problems', 'zero-shot')
    const { id: quoteId } = await quote(client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: [profile] })
    const run = await runToEnd(client, baseUrl, (await submit(client, quoteId)).id)
    const evaluator = await client.call('createEvaluator', {
      body: { name: 'Exact', definition: { kind: 'deterministic', scorer: 'assay/exact_match' } },
    })
    const monitor = await client.call('createTuneMonitor', {
      body: {
        name: 'Watch',
        profile_id: profile,
        baseline: { run_id: run.id },
        target: { model: { kind: 'managed', route_id: 'assay/echo' }, effort: null },
        evaluator_version_id: evaluator.id,
        max_charge_microusd: '0',
        max_monthly_microusd: '0',
      },
    })
    const params = { monitor_id: monitor.id }
    const { occurrence_id: id } = await client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
    expect(await told(hook.id)).toMatchObject({
      type: 'monitor.alarm',
      data: { monitor_id: monitor.id, occurrence_id: id, name: 'Watch', reason: expect.any(String), run_id: expect.any(String) },
    })
    await service.client.call('patchTuneMonitor', { params, body: { status: 'archived' } })
    await remove(hook.id)
  })

  test('a schedule that the service paused', async () => {
    const { client } = service
    const paid = await pricedModel(client, 'Paid', () => '#### 13', 1_000_000)
    const hook = await register({ events: ['schedule.paused'] })
    const terms = {
      models: [{ kind: 'connection' as const, connection_id: paid.id }],
      selection: { profile_ids: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')] },
      coverage: { mode: 'sample' as const, sample_count: 2, seed: 1 },
      max_charge_microusd: '0',
    }
    const body = { name: 'Nightly', cron: '0 * * * *', terms, max_monthly_microusd: '0' }
    const { id } = await client.call('createSchedule', { body })
    await service.restart(() => clock.advance(3_600_000))
    expect(await told(hook.id)).toMatchObject({
      type: 'schedule.paused',
      data: { schedule_id: id, name: 'Nightly', reason: 'cap_reached', message: expect.stringContaining('monthly limit') },
    })
    await remove(hook.id)
    await paid.server.close()
  })
})
