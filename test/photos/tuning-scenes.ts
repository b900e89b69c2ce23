import type { NewTuneMonitor } from '../../src/contract/tuning/monitors.schemas.ts'
import type { NewTuneQuote } from '../../src/contract/tuning/quotes.schemas.ts'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import type { ModelServerOptions } from '../journeys/model-server/server.ts'
import { connectJudge, jobEnd, startJudge } from '../support/judging.ts'
import type { TestClient } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel, raceToEnd, startRace } from '../support/tuning.ts'
import type { Scene } from './scenes.ts'

const ticketOf = (text: string) => Number(/Ticket (\d+)/.exec(text)?.[1] ?? 0)
const right = (text: string) => `label-${ticketOf(text) % 3}`
const connection = ({ id }: Pick<PricedModel, 'id'>) => ({ kind: 'connection' as const, connection_id: id })
const complaints = [
  'My card was charged twice for one order',
  'The parcel shows as delivered, but nothing came',
  'How do I change my address?',
]

/** Sessions and monitors in every state that their pages show. */
export async function fillTuning(client: TestClient): Promise<{ readonly scenes: readonly Scene[]; readonly close: () => Promise<void> }> {
  const models: PricedModel[] = []
  const model = async (
    ...[name, answers, rate, options]: [
      string,
      (question: string) => string,
      number | null,
      Pick<ModelServerOptions, 'delayMs' | 'faults'>?,
    ]
  ) => {
    const made = await pricedModel(client, name, answers, rate, options)
    models.push(made)
    return made
  }
  /** The first calls are answered at once, so that a look is over while the race goes on. */
  const slowAfter = (quick: number) => {
    let asked = 0
    return { delayMs: () => (++asked > quick ? 20_000 : 0) }
  }
  const large = await model('Large', right, 10_000_000)
  const small = await model('Small', right, 1_000_000)
  const tiny = await model('Tiny', question => (ticketOf(question) % 3 === 0 ? right(question) : 'label-9'), 500_000)
  const promptable = await model(
    'Small, needs a better prompt',
    q => (q.includes('one word') || ticketOf(q) % 3 === 0 ? right(q) : 'It depends.'),
    800_000,
  )
  const broken = await model('Refuses calls', right, 500_000, {
    faults: Array.from({ length: 500 }, (_, i) => (i < 1 ? 'ok' : 'bad-request')),
  })
  const slowLarge = await model('Large, slow', right, 10_000_000, slowAfter(70))
  const slowSmall = await model('Small, slow', right, 1_000_000, slowAfter(50))
  const slowTiny = await model('Tiny, slow', () => 'label-9', 500_000, slowAfter(50))
  const judge = await startJudge((_, n) =>
    n === 3 ? '<prompt>Answer in one word, the label of this ticket: {input}</prompt>' : `<prompt>Attempt ${n}: {input}</prompt>`,
  )
  const reflection = { kind: 'connection' as const, connection_id: await connectJudge(client, judge, { model: 'Reflection' }) }

  const create = async (name: string, current: PricedModel, cases = 100, changes: Partial<ReturnType<typeof newSession>> = {}) => {
    const { call, cases: plain = [], ...body } = newSession(cases)
    const texts = plain.map((one, i) => ({ ...one, input: `Ticket ${i}: ${complaints[i % complaints.length]}.` }))
    const objective = { margin: 0.1, seed: 3 }
    return (
      await client.call('createTuneSession', {
        body: { ...body, name, ...(call && { call: { ...call, model: connection(current) } }), cases: texts, objective, ...changes },
      })
    ).id
  }
  const candidates = (...arms: PricedModel[]) =>
    arms.map((arm, i) => ({ label: `Candidate ${i + 1}`, model: connection(arm), effort: null }))
  const ended = async (session: TuneSession): Promise<TuneSession> => {
    await jobEnd(client, session.job_id ?? '')
    return client.call('getTuneSession', { params: { session_id: session.id } })
  }
  const quoted = async (id: string, terms: Pick<NewTuneQuote, 'candidates'> & Partial<NewTuneQuote>) => {
    const params = { session_id: id }
    await client.call('approveTuneSession', { params, body: { revision: 1 } })
    return client.call('createTuneQuote', { params, body: { max_charge_microusd: '0', ...terms } })
  }
  const start = (session_id: string, quote_id: string) =>
    client.call('startTuneGroup', { params: { session_id }, body: { quote_id }, headers: { 'idempotency-key': crypto.randomUUID() } })
  const optimize = { reflection_model: reflection, reflection_effort: null, train_share: 0.4, max_calls: 200 }

  const empty = (await client.call('createTuneSession', { body: { name: 'Refund policy' } })).id
  const draft = await create('Support tickets by topic', large, 60)
  const approved = await create('Approved and not quoted', large, 60)
  await client.call('approveTuneSession', { params: { session_id: approved }, body: { revision: 1 } })
  const open = await create('Quoted with a prompt search', large)
  await quoted(open, { candidates: candidates(promptable, tiny), optimize })
  const failing = await create('Group failed', large, 60)
  await raceToEnd(client, failing, candidates(broken))
  const done = await create('Support tickets by topic, June', large, 100, { objective: { margin: 0.2, seed: 3 } })
  await raceToEnd(client, done, candidates(small, tiny))
  const searched = await create('With found prompts', large, 100, { objective: { margin: 0.2, seed: 3 } })
  const { id: searchQuote } = await quoted(searched, { candidates: candidates(promptable), optimize })
  await ended(await ended(await start(searched, searchQuote)))
  const clusters = newSession(100).cases?.map((one, i) => ({ ...one, cluster: `conversation ${Math.floor(i / 4)}` })) ?? []
  const clustered = await create('Conversations', large, 100, { cases: clusters, objective: { margin: 0.2, seed: 3 } })
  await raceToEnd(client, clustered, candidates(small, tiny))
  const racing = await create('Racing now', slowLarge, 100, { objective: { margin: 0.2, seed: 3 } })
  await startRace(client, racing, candidates(slowSmall, slowTiny))

  const raced = await client.call('getTuneSession', { params: { session_id: done } })
  const { id: evaluator_version_id } = await client.call('createEvaluator', {
    body: { name: 'Exact label', definition: { kind: 'deterministic', scorer: 'assay/exact_match', options: {}, target_from: 'expected' } },
  })
  const monitor = async (name: string, changes: Partial<NewTuneMonitor> = {}) =>
    client.call('createTuneMonitor', {
      body: {
        name,
        session_id: done,
        baseline: { group_id: raced.groups[0]?.id ?? '', arm: 'Candidate 1' },
        max_charge_microusd: '100000',
        max_monthly_microusd: '2000000',
        evaluator_version_id,
        schedule: 'day',
        ...changes,
      },
    })
  const check = (monitor_id: string, body: { type: 'manual' | 'release'; ref?: string; note?: string } = { type: 'manual' }) =>
    client.call('createTuneMonitorEvent', { params: { monitor_id }, body })
  const idle = async (monitor_id: string) => {
    for (const { job_id } of await client.call('listTuneOccurrences', { params: { monitor_id }, query: {} })) await jobEnd(client, job_id)
  }
  const outputs = (prefix: string, failFrom: number) =>
    Array.from({ length: 200 }, (_, i) => ({
      id: `${prefix}-${i}`,
      input: `Ticket ${i}: ${complaints[i % complaints.length]}.`,
      output: i % 20 === 7 || (i >= failFrom && i % 3 > 0) ? 'It depends on the order.' : `label-${i % 3}`,
      expected: `label-${i % 3}`,
    }))
  const fresh = await monitor('Never checked')
  const watched = await monitor('Production triage', {
    baseline: { group_id: raced.groups[0]?.id ?? '', arm: 'current' },
    stream: { tolerance: 0.1, false_alarm_every: 1000 },
  })
  await check(watched.id, { type: 'release', ref: 'build 4711', note: 'New template for refunds' })
  await idle(watched.id)
  for (const [name, failFrom] of [
    ['monday', 300],
    ['tuesday', 80],
  ] as const) {
    await client.call('queueTuneWorkload', { params: { monitor_id: watched.id }, body: { outputs: outputs(name, failFrom) } })
    await idle(watched.id)
  }
  const fallen = await monitor('Tiny in production', { target: { model: connection(tiny), effort: null } })
  await check(fallen.id)
  await idle(fallen.id)
  const paused = await monitor('Paused')
  await client.call('patchTuneMonitor', { params: { monitor_id: paused.id }, body: { status: 'paused' } })
  await check(paused.id)
  await idle(paused.id)
  const failed = await monitor('Model gone', { target: { model: connection(broken), effort: null } })
  await check(failed.id)
  await idle(failed.id)

  const session = (name: string, id: string, more: Partial<Scene> = {}): Scene => ({ name, path: `/tuning/${id}`, ...more })
  const scenes: readonly Scene[] = [
    session('tuning-racing', racing),
    { name: 'tuning', path: '/tuning' },
    { name: 'tuning-none', path: '/tuning?q=nothing-has-this' },
    { name: 'tuning-failing', path: '/tuning', failing: /\/v1\/tune-sessions(\?|$)/ },
    { name: 'tuning-new-dataset', path: '/tuning/new?way=dataset' },
    session('tuning-draft-empty', empty),
    session('tuning-draft', draft),
    session('tuning-approve', draft, {
      open: async page => {
        await page.getByRole('button', { name: 'Approve' }).click()
        await page
          .getByRole('dialog')
          .getByRole('button', { name: /^Approve revision/ })
          .waitFor()
      },
    }),
    session('tuning-candidates', approved, { open: page => page.getByRole('switch', { name: /prompts/ }).click({ force: true }) }),
    session('tuning-quoted', open),
    session('tuning-failed', failing),
    session('tuning-done', done),
    session('tuning-searched', searched),
    session('tuning-clustered', clustered),
    session('tuning-session-failing', done, { failing: /\/v1\/tune-sessions\// }),
    { name: 'monitors', path: '/tuning/monitors' },
    { name: 'monitors-failing', path: '/tuning/monitors', failing: /tune-monitors/ },
    { name: 'monitor-new', path: '/tuning/monitors/new' },
    { name: 'monitor-new-session', path: `/tuning/monitors/new?session=${done}` },
    { name: 'tuning-run', path: `/runs/${raced.groups[0]?.arms[2]?.run_id ?? ''}` },
    { name: 'monitor-fresh', path: `/tuning/monitors/${fresh.id}` },
    { name: 'monitor', path: `/tuning/monitors/${watched.id}` },
    { name: 'monitor-fallen', path: `/tuning/monitors/${fallen.id}` },
    { name: 'monitor-paused', path: `/tuning/monitors/${paused.id}` },
    { name: 'monitor-failed', path: `/tuning/monitors/${failed.id}` },
    { name: 'monitor-failing', path: `/tuning/monitors/${failed.id}`, failing: /occurrences/ },
  ]
  return {
    scenes,
    close: async () => {
      await client.call('cancelTuneSession', { params: { session_id: racing } }).catch(() => undefined)
      for (const { server } of models) await server.close()
      await judge.close()
    },
  }
}
