import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { watchDatabase } from '../support/database-watch.ts'
import { jobEnd } from '../support/judging.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel, raceToEnd, startRace } from '../support/tuning.ts'

const cases = 100
let service: TestService
const models: Record<string, PricedModel> = {}

/** What a ticket's label is, from the prompt that asks for it. */
const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`

beforeAll(async () => {
  service = await startTestService()
  const add = async (name: string, answers: (question: string) => string, rate: number | null) => {
    models[name] = await pricedModel(service.client, name, answers, rate)
  }
  await add('current', label, 10_000_000)
  await add('cheap', label, 1_000_000)
  await add('dear', label, 20_000_000)
  await add('bad', () => 'label-9', 1_000_000)
  await add('unpriced', label, null)
})
afterAll(async () => {
  for (const { server } of Object.values(models)) await server.close()
  await service.close()
})

const model = (name: string) => ({ kind: 'connection' as const, connection_id: models[name]?.id ?? '' })
const candidate = (name: string) => ({ label: name, model: model(name) })
const create = async (): Promise<string> => {
  const { call, ...body } = newSession(cases)
  if (!call) throw new Error('A session has a call.')
  const objective = { margin: 0.1, seed: 3 }
  return (await service.client.call('createTuneSession', { body: { ...body, call: { ...call, model: model('current') }, objective } })).id
}
const approve = async (session_id: string) => service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1 } })
const arm = (session: TuneSession, name: string) => session.groups.at(-1)?.arms.find(one => one.label === name)

describe('approval', () => {
  test('is for people, of the current revision, and makes the private benchmark', async () => {
    const session_id = await create()
    const request = { params: { session_id }, body: { revision: 1 } }
    expect((await service.keyClient.refusal('approveTuneSession', request)).code).toBe('human_approval_required')
    await service.client.call('patchTuneDraft', { params: { session_id }, body: { revision: 1, name: 'Reviewed' } })
    expect((await service.client.refusal('approveTuneSession', request)).code).toBe('conflict')
    const approved = await service.client.call('approveTuneSession', { ...request, body: { revision: 2, comment: 'Fine' } })
    expect(approved).toMatchObject({
      status: 'approved',
      approval: { revision: 2, comment: 'Fine' },
      benchmark: { slug: `tune-${session_id}` },
    })
    const benchmark = await service.client.call('getBenchmark', { params: { slug: approved.benchmark?.slug ?? '' } })
    expect(benchmark.profiles).toMatchObject([{ id: approved.benchmark?.profile_id, task_count: cases }])
    const listed = async (archived: 'false' | 'true') =>
      (await service.client.call('listBenchmarks', { query: { archived, limit: 100 } })).items.map(({ slug }) => slug)
    expect(await listed('false')).not.toContain(benchmark.slug)
    expect(await listed('true')).toContain(benchmark.slug)
    const again = { ...request, body: { revision: 2 } }
    expect((await service.client.refusal('approveTuneSession', again)).code).toBe('illegal_transition')
    const edit = { params: { session_id }, body: { revision: 2, name: 'Late' } }
    expect((await service.client.refusal('patchTuneDraft', edit)).code).toBe('illegal_transition')
  })

  test('with auto quotes and starts without anybody', async () => {
    const session_id = await create()
    const auto = { candidates: [candidate('cheap')], max_charge_microusd: '0' }
    const { job_id } = await service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1, auto } })
    await jobEnd(service.client, job_id ?? '')
    const racing = await service.client.call('getTuneSession', { params: { session_id } })
    expect(racing).toMatchObject({ problem: null, groups: [{ number: 1 }] })
    await jobEnd(service.client, racing.job_id ?? '')
    expect(await service.client.call('getTuneSession', { params: { session_id } })).toMatchObject({
      status: 'complete',
      conclusion: { recommended: 'cheap' },
    })
  })
})

describe('a quote', () => {
  test('adds the current call, plans the looks and shows what the race can tell', async () => {
    const session_id = await create()
    await approve(session_id)
    const body = { candidates: [candidate('cheap'), candidate('bad')], max_charge_microusd: '0' }
    const quote = await service.client.call('createTuneQuote', { params: { session_id }, body })
    expect(quote).toMatchObject({ kind: 'model', status: 'open', compatibility: 'compatible', looks: [20, 40, 60, 80, 100], cases })
    expect(quote.arms.map(({ label: name, current }) => [name, current])).toEqual([
      ['current', true],
      ['cheap', false],
      ['bad', false],
    ])
    expect(quote.alpha).toBeCloseTo(0.05, 12)
    expect(quote.alpha_per_candidate).toBeCloseTo(0.025, 12)
    // (1.9600 + 0.8416) * sqrt(0.2 / 100)
    expect(quote.detectable_margin).toMatchObject({ basis: 'assumed', discordant: 0.2, value: expect.closeTo(0.1253, 4) })
  })

  test('refuses the current call, or a candidate, a second time', async () => {
    const session_id = await create()
    await approve(session_id)
    const refused = (candidates: ReturnType<typeof candidate>[]) =>
      service.client.refusal('createTuneQuote', { params: { session_id }, body: { candidates, max_charge_microusd: '0' } })
    expect((await refused([{ ...candidate('current'), label: 'same' }])).code).toBe('validation_error')
    expect((await refused([candidate('cheap'), { ...candidate('cheap'), label: 'twin' }])).code).toBe('validation_error')
  })

  test('that is refused for its last candidate leaves none of the arms before it', async () => {
    const session_id = await create()
    await approve(session_id)
    const database = watchDatabase(service.dataDir)
    onTestFinished(() => database.close())
    const { quotes } = database.now()
    const gone = { label: 'gone', model: { kind: 'connection' as const, connection_id: crypto.randomUUID() }, effort: null }
    const body = { candidates: [candidate('cheap'), gone], max_charge_microusd: '0' }
    await service.client.refusal('createTuneQuote', { params: { session_id }, body })
    expect(database.now()).toMatchObject({ quotes })
    expect(quotes).toBeDefined()
  })

  test('of an effort that a route does not take fails its check and cannot be started', async () => {
    const session_id = await create()
    await approve(session_id)
    const candidates = [{ label: 'oracle', model: { kind: 'managed' as const, route_id: 'assay/oracle-75' }, effort: 'high' as const }]
    const quote = await service.client.call('createTuneQuote', { params: { session_id }, body: { candidates, max_charge_microusd: '0' } })
    expect(quote).toMatchObject({ compatibility: 'incompatible', arms: [{}, { compatibility: { status: 'incompatible' } }] })
    const start = { params: { session_id }, body: { quote_id: quote.id }, headers: { 'idempotency-key': 'one' } }
    expect((await service.client.refusal('startTuneGroup', start)).code).toBe('quote_incompatible')
    expect((await service.client.call('getTuneSession', { params: { session_id } })).status).toBe('quoted')
  })
})

describe('a race', () => {
  test('recommends the cheapest that is not worse, drops what cannot win, and spares their calls', async () => {
    const session = await raceToEnd(service.client, await create(), [candidate('cheap'), candidate('bad'), candidate('dear')])
    expect(session).toMatchObject({ status: 'complete', conclusion: { recommended: 'cheap', reason: 'recommended' } })
    expect(arm(session, 'cheap')).toMatchObject({ verdict: 'accepted', reason: 'noninferior', missing: 0, quality: { mean: 1 } })
    expect(arm(session, 'bad')).toMatchObject({ verdict: 'dropped', reason: 'futile' })
    expect(arm(session, 'dear')).toMatchObject({ verdict: 'dropped', reason: 'not_cheaper' })
    expect(arm(session, 'bad')?.looks).toHaveLength(1)
    const [group] = session.groups
    expect(group?.saved.calls).toBeGreaterThan(100)
    expect(session.conclusion?.text).toMatch(/^cheap costs 90 % less than current and is (not worse|at most .* worse)\.$/)
    // Every arm is an ordinary run.
    const run = await service.client.call('getRun', { params: { run_id: arm(session, 'cheap')?.run_id ?? '' } })
    expect(run.progress.scored).toBeGreaterThanOrEqual(arm(session, 'cheap')?.n ?? 0)
  })

  test('needs a key, answers the same session to it again, and refuses another quote under it', async () => {
    const session_id = await create()
    await approve(session_id)
    const body = { candidates: [candidate('cheap')], max_charge_microusd: '0' }
    const quote = await service.client.call('createTuneQuote', { params: { session_id }, body })
    const start = { params: { session_id }, body: { quote_id: quote.id } }
    expect((await service.client.refusal('startTuneGroup', start)).code).toBe('validation_error')
    const key = { headers: { 'idempotency-key': 'mine' } }
    const first = await service.client.call('startTuneGroup', { ...start, ...key })
    const second = await service.client.call('startTuneGroup', { ...start, ...key })
    expect(second.groups.map(({ id }) => id)).toEqual(first.groups.map(({ id }) => id))
    const other = { params: { session_id }, body: { quote_id: crypto.randomUUID() } }
    expect((await service.client.refusal('startTuneGroup', { ...other, ...key })).code).toBe('idempotency_mismatch')
    await jobEnd(service.client, first.job_id ?? '')
  })

  test('recommends nothing while rates are unknown', async () => {
    const session = await raceToEnd(service.client, await create(), [candidate('unpriced')])
    expect(arm(session, 'unpriced')).toMatchObject({ verdict: 'accepted', cost_per_case_microusd: null })
    expect(session.conclusion).toMatchObject({ recommended: null, reason: 'rates_unknown' })
  })

  test('keeps the current call where nothing is accepted, and says how many cases would decide', async () => {
    const half = await pricedModel(
      service.client,
      'half',
      question => (Number(/\d+/.exec(question)?.[0]) % 12 === 5 ? 'no' : label(question)),
      1_000_000,
    )
    const session = await raceToEnd(
      service.client,
      await create(),
      [{ label: 'half', model: { kind: 'connection', connection_id: half.id } }],
      'full',
    )
    await half.server.close()
    expect(session.conclusion).toMatchObject({ recommended: null, reason: 'none_accepted', cases_needed: expect.any(Number) })
    expect(session.conclusion?.cases_needed).toBeGreaterThan(cases)
  })

  test('is cancelled immediately, and its runs end', async () => {
    const slow = await pricedModel(service.client, 'slow', label, 1_000_000, { delayMs: 200, concurrency: 1 })
    const session_id = await create()
    const { groups } = await startRace(service.client, session_id, [
      { label: 'slow', model: { kind: 'connection', connection_id: slow.id } },
    ])
    const cancelled = await service.client.call('cancelTuneSession', { params: { session_id } })
    expect(cancelled).toMatchObject({ status: 'cancelled', groups: [{ status: 'cancelled' }] })
    for (const { run_id } of groups[0]?.arms ?? []) {
      await expect.poll(async () => (await service.client.call('getRun', { params: { run_id } })).status).toBe('cancelled')
    }
    expect((await service.client.refusal('cancelTuneSession', { params: { session_id } })).code).toBe('illegal_transition')
    await slow.server.close()
  })
})

test('an export contains the call to paste, the cases with origins, and a digest over everything', async () => {
  const session_id = await create()
  const params = { session_id }
  expect((await service.client.refusal('exportTuneSession', { params })).code).toBe('result_not_ready')
  const session = await raceToEnd(service.client, session_id, [candidate('cheap')])
  const { digest, ...bundle } = await service.client.call('exportTuneSession', { params })
  expect(bundle).toMatchObject({
    format: 'assay.tune/1',
    recommended_call: { model: model('cheap'), prompt_template: 'Sort this ticket: {input}' },
  })
  expect(bundle.cases).toEqual(session.draft.cases)
  expect(bundle.report_html).toContain('cheap costs 90 % less')
  expect(bundle.report_html).not.toMatch(/<script|https?:\/\//)
  const sorted = JSON.stringify(bundle, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
  expect(digest).toBe(createHash('sha256').update(sorted).digest('hex'))
})

test('a candidate may differ in its prompt alone', async () => {
  const prompt = { prompt_template: 'Label: {input}' }
  const session = await raceToEnd(service.client, await create(), [{ label: 'shorter', model: model('current'), prompt }])
  expect(arm(session, 'shorter')).toMatchObject({ verdict: 'accepted', prompt: { ...prompt, system_prompt: null } })
  expect(session.conclusion?.recommended).toBe('shorter')
})

test('a monitor takes the baseline and the target from a run group', async () => {
  const session = await raceToEnd(service.client, await create(), [candidate('cheap')], 'full')
  const [group] = session.groups
  const baseline = { group_id: group?.id ?? '', arm: 'cheap' }
  const monitor = await service.client.call('createTuneMonitor', {
    body: { name: 'Does cheap still do', session_id: session.id, baseline, max_charge_microusd: '0', max_monthly_microusd: '1000000000' },
  })
  expect(monitor).toMatchObject({
    target: { model: model('cheap') },
    baseline: { run_id: arm(session, 'cheap')?.run_id, mean: 1, n: cases },
  })
  const other = { ...baseline, arm: 'nobody' }
  const body = { name: 'x', session_id: session.id, baseline: other, max_charge_microusd: '0', max_monthly_microusd: '0' }
  expect((await service.client.refusal('createTuneMonitor', { body })).code).toBe('not_found')
})

test('a monitor runs the version of the benchmark that its baseline answered, also beside candidates with other prompts', async () => {
  const prompt = { prompt_template: 'Label: {input}' }
  const session = await raceToEnd(service.client, await create(), [{ label: 'other', model: model('bad'), prompt }], 'full')
  const baseline = { group_id: session.groups[0]?.id ?? '', arm: 'current' }
  const caps = { max_charge_microusd: '0', max_monthly_microusd: '1000000000' }
  const body = { name: 'Watch', session_id: session.id, baseline, margin: 0.2, ...caps }
  const monitor = await service.client.call('createTuneMonitor', { body })
  const params = { monitor_id: monitor.id }
  const { occurrence_id: id } = await service.client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
  const occurrence = async () => (await service.client.call('listTuneOccurrences', { params, query: {} })).find(each => each.id === id)
  await jobEnd(service.client, (await occurrence())?.job_id ?? '')
  expect(await occurrence()).toMatchObject({ status: 'complete', verdict: 'ok', n: cases, failure: null })

  const unknown = { model: model('bad'), prompt: { profile_id: 'nowhere/1/none' } }
  expect((await service.client.refusal('createTuneMonitor', { body: { ...body, target: unknown } })).detail[0]?.loc).toEqual([
    'body',
    'target',
    'prompt',
    'profile_id',
  ])
})

test('at the same price, a call that is better is found where one was asked for', async () => {
  // Every third ticket is one that today's call gets wrong; both prices and answers' lengths are the same.
  const wrong = (question: string) => (label(question) === 'label-0' ? 'label-9' : label(question))
  const rate = 5_000_000
  const [today, better] = [
    await pricedModel(service.client, 'today', wrong, rate),
    await pricedModel(service.client, 'better', label, rate),
  ]
  models['today'] = today
  models['better'] = better
  const { call, ...body } = newSession(cases)
  if (!call) throw new Error('A session has a call.')
  const race = async (objective: object) => {
    const session = { ...body, call: { ...call, model: model('today') }, objective: { margin: 0.1, seed: 3, ...objective } }
    const { id } = await service.client.call('createTuneSession', { body: session })
    await approve(id)
    return raceToEnd(service.client, id, [candidate('better')])
  }
  const found = await race({ better_price_factor: 1 })
  expect(arm(found, 'better')).toMatchObject({ verdict: 'accepted', reason: 'superior' })
  expect(found.conclusion).toMatchObject({
    recommended: 'better',
    better: 'better',
    text: expect.stringMatching(/^better is better than current by at least \d+(\.\d)? points at the same price\.$/),
  })
  expect(arm(await race({}), 'better')).toMatchObject({ verdict: 'dropped', reason: 'not_cheaper' })
})
