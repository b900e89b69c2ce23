import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TuneSession } from '../../src/contract/tuning/sessions.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { jobEnd } from '../support/judging.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { type TestService, startTestService } from '../support/service.ts'
import { newSession, pricedModel, type PricedModel, raceToEnd, startRace } from '../support/tuning.ts'

let service: TestService
let clock: MovingClock
let current: PricedModel
let cheap: PricedModel

const label = (question: string) => `label-${Number(/Ticket (\d+)/.exec(question)?.[1] ?? 0) % 3}`
const model = ({ id }: Pick<PricedModel, 'id'>) => ({ kind: 'connection' as const, connection_id: id })

beforeAll(async () => {
  clock = movingClock()
  service = await startTestService({}, clock)
  current = await pricedModel(service.client, 'current', label, 10_000_000)
  cheap = await pricedModel(service.client, 'cheap', label, 1_000_000)
})
afterAll(async () => {
  await current.server.close()
  await cheap.server.close()
  await service.close()
})

/** Closed by the test itself, or when it ends. */
async function modelOf(name: string, answers: (question: string) => string, rate: number, options: Parameters<typeof pricedModel>[4] = {}) {
  const made = await pricedModel(service.client, name, answers, rate, options)
  let isOpen = true
  const close = async () => {
    if (isOpen) await made.server.close()
    isOpen = false
  }
  onTestFinished(close)
  return { ...made, close }
}

async function create(call: PricedModel) {
  const { call: usual, ...body } = newSession(100)
  if (!usual) throw new Error('A session has a call.')
  const objective = { margin: 0.1, seed: 3 }
  return (await service.client.call('createTuneSession', { body: { ...body, call: { ...usual, model: model(call) }, objective } })).id
}
const read = (session_id: string) => service.client.call('getTuneSession', { params: { session_id } })
const arm = (session: TuneSession, name: string) => session.groups.at(-1)?.arms.find(one => one.label === name)

describe('a race whose models stop answering', () => {
  test('shows since when, waits half an hour, and then counts the rest as missing', async () => {
    const a = await modelOf('a', label, 10_000_000, { delayMs: 5, concurrency: 2 })
    let asked = 0
    const b = await modelOf(
      'b',
      question => {
        if (++asked === 30) void Promise.all([a.close(), b.close()])
        return label(question)
      },
      1_000_000,
      { delayMs: 5, concurrency: 2 },
    )
    const session_id = await create(a)
    const { job_id } = await startRace(service.client, session_id, [{ label: 'b', model: model(b) }])
    await expect.poll(async () => arm(await read(session_id), 'b')?.unreachable?.since).toEqual(expect.any(String))
    const waiting = await read(session_id)
    expect(waiting.status).toBe('running')
    const { since = '', until = '' } = arm(waiting, 'b')?.unreachable ?? {}
    expect(Date.parse(until) - Date.parse(since)).toBe(30 * 60_000)
    clock.advance(30 * 60_000 + 1)
    await jobEnd(service.client, job_id ?? '')
    const session = await read(session_id)
    expect(session).toMatchObject({
      status: expect.stringMatching(/^(partial|failed)$/),
      conclusion: { recommended: null, reason: 'unusable' },
    })
    expect(arm(session, 'b')).toMatchObject({ verdict: 'undecided', reason: 'missing', unreachable: null })
    expect(arm(session, 'b')?.detail).toContain('stopped waiting after 30 minutes')
  })

  test('ends immediately on cancel', async () => {
    const a = await modelOf('a', label, 10_000_000, { delayMs: 5, concurrency: 2 })
    const b = await modelOf('b', label, 1_000_000, { delayMs: 5, concurrency: 2 })
    const session_id = await create(a)
    const { groups } = await startRace(service.client, session_id, [{ label: 'b', model: model(b) }])
    await Promise.all([a.close(), b.close()])
    await expect.poll(async () => arm(await read(session_id), 'b')?.unreachable).not.toBeNull()
    expect(await service.client.call('cancelTuneSession', { params: { session_id } })).toMatchObject({ status: 'cancelled' })
    for (const { run_id } of groups[0]?.arms ?? [])
      await expect.poll(async () => (await service.client.call('getRun', { params: { run_id } })).status).toBe('cancelled')
  })
})

describe('without anybody to cancel it', () => {
  /** Answers its check and nothing after. */
  const dead = async (name: string) => {
    const made = await modelOf(name, label, 1_000_000)
    await made.close()
    return made
  }

  test('an event of a monitor gives up a model that does not answer for half an hour', async () => {
    const session = await raceToEnd(service.client, await create(current), [{ label: 'cheap', model: model(cheap) }])
    const gone = await dead('gone')
    const { id: monitor_id } = await service.client.call('createTuneMonitor', {
      body: {
        name: 'Watch',
        session_id: session.id,
        baseline: { group_id: session.groups[0]?.id ?? '', arm: 'current' },
        target: { model: model(gone), effort: null },
        max_charge_microusd: '0',
        max_monthly_microusd: '1000000000',
      },
    })
    const params = { monitor_id }
    await service.client.call('createTuneMonitorEvent', { params, body: { type: 'manual' } })
    const occurrence = async () => (await service.client.call('listTuneOccurrences', { params, query: {} }))[0]
    const paused = async () => {
      const run_id = (await occurrence())?.run_id
      return run_id ? (await service.client.call('getRun', { params: { run_id } })).pause?.code : undefined
    }
    await expect.poll(paused).toBe('endpoint_down')
    clock.advance(30 * 60_000 + 1)
    await expect.poll(async () => (await occurrence())?.status).toBe('failed')
    expect((await occurrence())?.failure?.message).toContain('stopped waiting after 30 minutes')
  })

  test('a prompt search gives it up too, and its session fails with the reason', async () => {
    const [gone, writer] = [await dead('gone'), await modelOf('writer', () => 'No idea.', 1_000_000)]
    const session_id = await create(current)
    await service.client.call('approveTuneSession', { params: { session_id }, body: { revision: 1 } })
    const body = {
      candidates: [{ label: 'gone', model: model(gone) }],
      max_charge_microusd: '0',
      optimize: { reflection_model: model(writer), max_calls: 100 },
    }
    const quote = await service.client.call('createTuneQuote', { params: { session_id }, body })
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const { job_id } = await service.client.call('startTuneGroup', { params: { session_id }, body: { quote_id: quote.id }, headers })
    const runs = async () => (await service.client.call('listRuns', { query: { q: 'prompt search', limit: 10 } })).items
    await expect.poll(async () => (await runs())[0]?.pause?.code).toBe('endpoint_down')
    clock.advance(30 * 60_000 + 1)
    await jobEnd(service.client, job_id ?? '')
    expect(await read(session_id)).toMatchObject({ status: 'failed', groups: [], search: { status: 'failed' } })
    expect((await read(session_id)).problem?.message).toContain('stopped waiting after 30 minutes')
  })
})

describe('a race whose runs cannot be executed', () => {
  test('shows why, waits half an hour for a person, and then ends', async () => {
    const plant = (sql: string) => {
      const db = openDatabase(`${service.dataDir}/assay.db`)
      db.prepare(sql).run()
      db.close()
    }
    const session_id = await create(current)
    plant(`create trigger planted before insert on scores begin select raise(abort, 'planted fault'); end`)
    onTestFinished(() => plant('drop trigger if exists planted'))
    const { job_id } = await startRace(service.client, session_id, [{ label: 'cheap', model: model(cheap) }])
    await expect.poll(async () => arm(await read(session_id), 'cheap')?.unreachable?.message).toContain('planted fault')
    expect((await read(session_id)).status).toBe('running')
    clock.advance(30 * 60_000 + 1)
    await jobEnd(service.client, job_id ?? '')
    const session = await read(session_id)
    expect(session).toMatchObject({ status: 'failed', conclusion: { recommended: null, reason: 'unusable' } })
    expect(arm(session, 'cheap')).toMatchObject({ verdict: 'undecided', reason: 'missing', unreachable: null })
  })
})
