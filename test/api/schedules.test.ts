import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { worldsExamples } from '../../src/contract/worlds/worlds.examples.ts'
import { NewWorld } from '../../src/contract/worlds/worlds.schemas.ts'
import { type Schedule, ScheduleOccurrence } from '../../src/contract/schedules/schedules.schemas.ts'
import { occurrenceReason, occurrenceStatus } from '../../src/renderer/schedules/schedule-words.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { connectJudge, saveJudge, startJudge } from '../support/judging.ts'
import { cpuMsOf, slowness } from '../support/machine-speed.ts'
import { type MovingClock, movingClock } from '../support/moving-clock.ts'
import { profileId, runToEnd } from '../support/runs.ts'
import { clientFor, startTestService, type TestService } from '../support/service.ts'
import { pricedModel, type PricedModel } from '../support/tuning.ts'

const hourMs = 3_600_000

let service: TestService
let clock: MovingClock
let paid: PricedModel
let profile: string
beforeAll(async () => {
  clock = movingClock(Date.parse('2026-11-03T10:30:00.000Z'))
  service = await startTestService({}, clock)
  paid = await pricedModel(service.client, 'Paid', () => '#### 13', 1_000_000)
  profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
})
afterAll(async () => {
  await service.close()
  await paid.server.close()
})

const free = [{ kind: 'managed' as const, route_id: 'assay/oracle-75' }]
const terms = (models: Schedule['terms']['models'] = free) => ({
  models,
  selection: { profile_ids: [profile] },
  coverage: { mode: 'sample' as const, sample_count: 3, seed: 1 },
  max_charge_microusd: '0',
})
const hourly = (more: object = {}) => ({ name: 'Hourly', cron: '0 * * * *', terms: terms(), max_monthly_microusd: '0', ...more })
const occurrences = async ({ id }: Schedule) =>
  (await service.client.call('listScheduleOccurrences', { params: { schedule_id: id } })).items
const read = ({ id }: Schedule) => service.client.call('getSchedule', { params: { schedule_id: id } })
const archive = ({ id }: Schedule) => service.client.call('changeSchedule', { params: { schedule_id: id }, body: { status: 'archived' } })

/** The next start of the service, some time later. */
async function startLater(ms: number): Promise<void> {
  await service.restart(() => clock.advance(ms))
}

test('times that were missed while the service was off are made up once, as a run group', async () => {
  const { client } = service
  const schedule = await client.call('createSchedule', { body: hourly() })
  expect(schedule).toMatchObject({ status: 'active', next_run_at: '2026-11-03T11:00:00.000Z', frozen: { model_calls: 3 } })
  await startLater(3 * hourMs)
  await expect.poll(async () => (await occurrences(schedule)).map(({ status }) => status)).toEqual(['ended'])
  const [made] = await occurrences(schedule)
  expect(made).toMatchObject({ due_at: '2026-11-03T11:00:00.000Z', missed_times: 3, reason: null })
  const group = await service.client.call('getRunGroup', { params: { run_group_id: made?.run_group_id ?? '' } })
  expect(group).toMatchObject({ ended: true, name: 'Hourly', runs: [{ run: { status: 'complete', progress: { completed: 3 } } }] })
  expect(await read(schedule)).toMatchObject({ next_run_at: '2026-11-03T14:00:00.000Z', last_occurrence: { id: made?.id } })
  await archive(schedule)
  await startLater(3 * hourMs)
  expect(await occurrences(schedule)).toHaveLength(1)
})

test('a schedule is paused by itself before a run that its monthly limit may not cover, and resumed with more', async () => {
  const models = [{ kind: 'connection' as const, connection_id: paid.id }]
  const schedule = await service.client.call('createSchedule', { body: hourly({ terms: terms(models) }) })
  const most = Number(schedule.frozen.provider_billed_upper_bound_microusd)
  expect(most).toBeGreaterThan(0)
  const calls = paid.server.requests()
  await startLater(hourMs)
  await expect.poll(async () => (await read(schedule)).status).toBe('paused')
  expect(await read(schedule)).toMatchObject({
    pause_reason: 'cap_reached',
    pause_message: expect.stringMatching(/^The next run could cost \$[\d.]+ and \$0\.00 of the monthly limit/),
    next_run_at: null,
    last_occurrence: { status: 'skipped', reason: 'cap_reached', run_group_id: null },
  })
  expect(paid.server.requests()).toBe(calls)
  expect((await service.client.call('listRunGroups', { query: {} })).items.map(({ name }) => name)).toEqual(['Hourly'])
  await service.client.call('changeSchedule', {
    params: { schedule_id: schedule.id },
    body: { status: 'active', max_monthly_microusd: String(most) },
  })
  await startLater(hourMs)
  await expect.poll(async () => (await occurrences(schedule)).map(({ status }) => status)).toEqual(['ended', 'skipped'])
  const spent = Number((await read(schedule)).spent_this_month_microusd)
  expect(spent).toBeGreaterThan(0)
  expect(spent).toBeLessThanOrEqual(most)
  const group = await service.client.call('getRunGroup', { params: { run_group_id: (await occurrences(schedule))[0]?.run_group_id ?? '' } })
  expect(spent).toBe(Number(group.provider_billed_microusd))
  await archive(schedule)
})

test('the judge of a world that a free model plays counts toward the monthly limit', async () => {
  const { client } = service
  const example = NewWorld.parse(worldsExamples.createEnvironment)
  const [task] = example.tasks
  const judged = {
    ...example,
    slug: 'judged-lights',
    judge: { model: { kind: 'connection' as const, connection_id: paid.id } },
    tasks: [{ ...task, id: 'judged', expected: { ...task?.expected, criteria: ['The answer is polite.'] } }],
  }
  const world = await client.call('createEnvironment', { body: NewWorld.parse(judged) })
  const body = hourly({ terms: { ...terms(), selection: { profile_ids: world.profile_ids.slice(0, 1) }, coverage: { mode: 'full' } } })
  const schedule = await client.call('createSchedule', { body })
  expect(Number(schedule.frozen.provider_billed_upper_bound_microusd)).toBeGreaterThan(0)
  const { key } = await client.call('createApiKey', {
    body: { name: 'Poor', scopes: ['runs:write', 'runs:read'], provider_ceiling_microusd: '0' },
  })
  const refused = await clientFor(service.baseUrl, key, service.workspaceId).refusal('createSchedule', { body })
  expect(refused.code).toBe('spend_ceiling_reached')
  const calls = paid.server.requests()
  await startLater(hourMs)
  await expect.poll(async () => (await read(schedule)).pause_reason).toBe('cap_reached')
  expect(paid.server.requests()).toBe(calls)
  await archive(schedule)
})

test('a model of this machine without rates is run beside a judge with rates, whose bill counts toward the monthly limit', async () => {
  const { client } = service
  const local = await pricedModel(client, 'Local', () => '#### 13', null)
  const judge = await startJudge(() => ({ tool: { reasoning: 'ok', verdict: 'pass' } }))
  const { id: evaluator } = await saveJudge(client, await connectJudge(client, judge, { priced: true }))
  const models = [{ kind: 'connection' as const, connection_id: local.id }]
  const body = hourly({ terms: { ...terms(models), execution: { evaluators: [evaluator] } }, max_monthly_microusd: '1000000' })
  const { key } = await client.call('createApiKey', {
    body: { name: 'Bounded', scopes: ['runs:write', 'runs:read'], provider_ceiling_microusd: '1000000' },
  })
  const refused = await clientFor(service.baseUrl, key, service.workspaceId).refusal('createSchedule', { body })
  // Each of its runs would be.
  expect(refused).toMatchObject({ code: 'spend_ceiling_reached', message: expect.stringContaining('states no rates') })
  const schedule = await client.call('createSchedule', { body })
  const most = Number(schedule.frozen.provider_billed_upper_bound_microusd)
  await startLater(hourMs)
  await expect.poll(async () => (await occurrences(schedule))[0]?.status).toBe('ended')
  const spent = Number((await read(schedule)).spent_this_month_microusd)
  expect(judge.asked).toHaveLength(3)
  expect(spent).toBeGreaterThan(0)
  expect(spent).toBeLessThanOrEqual(most)
  await archive(schedule)
  await Promise.all([local.server.close(), judge.close()])
})

test('a run that is deleted before the others of its time have ended still counts toward the month', async () => {
  const { client } = service
  let isHeld = false
  const slow = await pricedModel(client, 'Slow', () => '#### 13', 1_000_000, { delayMs: () => (isHeld ? 60_000 : 0) })
  isHeld = true
  const models = [paid.id, slow.id].map(id => ({ kind: 'connection' as const, connection_id: id }))
  const schedule = await client.call('createSchedule', { body: hourly({ terms: terms(models), max_monthly_microusd: '1000000' }) })
  await startLater(hourMs)
  const runs = async () => {
    const [{ run_group_id } = { run_group_id: null }] = await occurrences(schedule)
    if (run_group_id === null) return []
    const group = await service.client.call('getRunGroup', { params: { run_group_id } })
    return group.runs.map(({ run }) => run)
  }
  await expect.poll(async () => (await runs())[0]?.status).toBe('complete')
  const [quick, held] = await runs()
  const billed = Number(quick?.accounting.provider_billed_microusd)
  expect(billed).toBeGreaterThan(0)
  await service.client.call('deleteRun', { params: { run_id: quick?.id ?? '' } })
  await service.client.call('cancelRun', { params: { run_id: held?.id ?? '' } })
  await expect.poll(async () => (await occurrences(schedule))[0]?.status).toBe('ended')
  expect(Number((await read(schedule)).spent_this_month_microusd)).toBeGreaterThanOrEqual(billed)
  await archive(schedule)
  await slow.server.close()
})

test('a schedule whose connection was disabled meanwhile is paused with what to do, and calls nothing', async () => {
  const { client } = service
  const gone = await pricedModel(client, 'Gone', () => '#### 13', 1_000_000)
  const models = [{ kind: 'connection' as const, connection_id: gone.id }]
  const schedule = await client.call('createSchedule', { body: hourly({ terms: terms(models), max_monthly_microusd: '1000000' }) })
  const calls = gone.server.requests()
  await client.call('disableConnection', { params: { connection_id: gone.id } })
  await startLater(hourMs)
  await expect.poll(async () => (await read(schedule)).status).toBe('paused')
  expect(await read(schedule)).toMatchObject({
    pause_reason: 'terms_changed',
    pause_message: 'The connection "Gone" is disabled. Create a new schedule with another model.',
    last_occurrence: { status: 'skipped', run_group_id: null, spent_microusd: '0' },
  })
  expect(gone.server.requests()).toBe(calls)
  await archive(schedule)
  await gone.server.close()
})

/** Of anybody, as stored. */
function countQuotes(): unknown {
  const db = openDatabase(join(service.dataDir, 'assay.db'), { readonly: true })
  try {
    return db.prepare('select count(*) from quotes').pluck().get()
  } finally {
    db.close()
  }
}

describe('a key starts nothing more', () => {
  const change = {
    revoked: (id: string) => service.client.call('revokeApiKey', { params: { key_id: id } }),
    expired: async () => clock.advance(2_000),
    'without money left': (id: string) =>
      service.client.call('setKeyCeiling', { params: { key_id: id }, body: { provider_ceiling_microusd: '0' } }),
  }
  test.each([
    ['revoked', 'unauthorized', 'revoked'],
    ['expired', 'unauthorized', 'expired'],
    ['without money left', 'cap_reached', 'of the key’s provider spending limit of $0.00 is left'],
  ] as const)('%s', async (name, reason, message) => {
    const expires = name === 'expired' ? { expires_at: new Date(clock.now().getTime() + 1_000).toISOString() } : {}
    const { key, id } = await service.client.call('createApiKey', {
      body: { name, scopes: ['runs:write', 'runs:read'], provider_ceiling_microusd: '1000000', ...expires },
    })
    const models = [{ kind: 'connection' as const, connection_id: paid.id }]
    const schedule = await clientFor(service.baseUrl, key, service.workspaceId).call('createSchedule', {
      body: hourly({ terms: terms(models), max_monthly_microusd: '1000000' }),
    })
    const calls = paid.server.requests()
    await change[name](id)
    const quotes = countQuotes()
    await startLater(hourMs)
    await expect.poll(async () => (await read(schedule)).status).toBe('paused')
    expect(countQuotes(), 'quotes').toBe(quotes)
    expect(await read(schedule)).toMatchObject({ pause_reason: reason, pause_message: expect.stringContaining(message) })
    expect(paid.server.requests()).toBe(calls)
    expect((await occurrences(schedule)).map(({ run_group_id: group }) => group)).toEqual([null])
    await archive(schedule)
  })
})

describe('refusals', () => {
  test.each([
    ['a calendar that cannot be read', { cron: '61 * * * *' }, 'cron', '"61" is not a minute'],
    ['one that never comes', { cron: '0 0 31 4 *' }, 'cron', 'never comes'],
    ['more than four times an hour', { cron: '*/10 * * * *' }, 'cron', 'at most 4'],
    ['an unknown time zone', { time_zone: 'Mars/Olympus' }, 'time_zone', 'is not the name of a time zone'],
  ])('%s', async (_name, more, field, message) => {
    const refused = await service.client.refusal('createSchedule', { body: hourly(more) })
    expect(refused).toMatchObject({ status: 422 })
    expect(refused.detail[0]?.loc).toEqual(['body', field])
    expect(refused.message).toContain(message)
  })

  test('an archived schedule stays archived', async () => {
    const schedule = await service.client.call('createSchedule', { body: hourly() })
    await archive(schedule)
    const change = { params: { schedule_id: schedule.id }, body: { status: 'active' as const } }
    expect((await service.client.refusal('changeSchedule', change)).code).toBe('illegal_transition')
  })
})

test('a workspace has so many at most, without those that are archived', async () => {
  const schedule = await service.client.call('createSchedule', { body: hourly() })
  const db = openDatabase(join(service.dataDir, 'assay.db'))
  const copy = db.prepare(
    `insert into schedules (id, workspace_id, name, status, cron, time_zone, terms, frozen, max_monthly_microusd, owner_id, created_at)
     select ?, workspace_id, name, 'paused', cron, time_zone, terms, frozen, max_monthly_microusd, owner_id, created_at from schedules where id = ?`,
  )
  const live = db.prepare("select count(*) from schedules where status != 'archived'").pluck()
  while (Number(live.get()) < 100) copy.run(crypto.randomUUID(), schedule.id)
  const refused = await service.client.refusal('createSchedule', { body: hourly() })
  expect(refused).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining('has 100 schedules') })
  await archive(schedule)
  await archive(await service.client.call('createSchedule', { body: hourly() }))
  db.prepare("delete from schedules where status = 'paused'").run()
  db.close()
})

test('a clock that was days ahead puts no schedule off, and one set back within a period repeats nothing', async () => {
  const aheadMs = 3 * 24 * hourMs
  clock.advance(aheadMs)
  const schedule = await service.client.call('createSchedule', { body: hourly() })
  const nextMs = async () => Date.parse((await read(schedule)).next_run_at ?? '')
  clock.advance(-aheadMs)
  await service.restart()
  await expect.poll(nextMs).toBeLessThanOrEqual(clock.now().getTime() + hourMs)
  await startLater(hourMs)
  await expect.poll(async () => (await occurrences(schedule)).map(({ status }) => status)).toEqual(['ended'])
  const next = await nextMs()
  clock.advance(-hourMs / 2)
  await service.restart()
  expect(await nextMs()).toBe(next)
  clock.advance(hourMs / 2)
  await archive(schedule)
})

test('a run whose prompts twice take too long to be counted is given up, and the next time runs', async () => {
  const schedule = await service.client.call('createSchedule', { body: hourly() })
  onTestFinished(() => void vi.useRealTimers())
  await service.restart(() => {
    // An update of the tokenizer leaves none; the thread that counts them again is watched by intervals.
    const db = openDatabase(join(service.dataDir, 'assay.db'))
    db.prepare('delete from prompt_tokens').run()
    db.close()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    clock.advance(hourMs)
  })
  /** Takes the thread past its deadline in each turn of the event loop, until the occurrence says this. */
  const until = async (message: string) => {
    for (let said: string | null = null; said !== message; said = (await occurrences(schedule))[0]?.message ?? null)
      for (let turn = 0; turn < 20; turn++) {
        vi.advanceTimersByTime(5.1 * 60_000)
        await new Promise(setImmediate)
      }
  }
  await until('The work took longer than 300 s and was stopped. It is tried once more.')
  clock.advance(60_000)
  const message = 'Gave up starting the run. Last error: The work took longer than 300 s and was stopped.'
  await until(message)
  const occurrence = ScheduleOccurrence.parse((await occurrences(schedule))[0])
  expect(occurrence).toMatchObject({ status: 'failed', reason: 'gave_up', run_group_id: null, spent_microusd: '0' })
  expect(occurrenceStatus(occurrence)).toEqual({ word: 'Gave up', tone: 'fail' })
  expect(occurrenceReason(occurrence)).toBe(message)
  expect(await read(schedule)).toMatchObject({ status: 'active', pause_reason: null, last_occurrence: { id: occurrence.id } })
  await service.restart(() => {
    vi.useRealTimers()
    clock.advance(hourMs)
  })
  await expect.poll(async () => (await occurrences(schedule)).map(({ status }) => status)).toEqual(['ended', 'failed'])
  await archive(schedule)
})

test('a run that a person starts counts toward no schedule', async () => {
  const { client, baseUrl } = service
  const { quotes } = await client.call('quoteRunGroup', { body: terms() })
  const group = await client.call('createRunGroup', {
    body: { name: 'By hand', quote_ids: quotes.map(({ id }) => id), max_charge_microusd: '0' },
  })
  await runToEnd(client, baseUrl, group.runs[0]?.run.id ?? '')
  expect((await client.call('listSchedules', {})).items.every(({ last_occurrence: last }) => last?.run_group_id !== group.id)).toBe(true)
})

test('ten thousand times that were missed are made up once, and the next is the first after now', async () => {
  const schedule = await service.client.call('createSchedule', { body: hourly({ name: 'Often', cron: '*/15 * * * *' }) })
  const dueAt = schedule.next_run_at ?? ''
  const spent = await cpuMsOf(() => startLater(10_000 * 0.25 * hourMs))
  // A start is most of it: no time that was missed is looked at, and they are counted by the day.
  expect(spent).toBeLessThan(5_000 * slowness())
  await expect.poll(async () => (await occurrences(schedule)).map(({ status }) => status)).toEqual(['ended'])
  expect(await occurrences(schedule)).toMatchObject([{ due_at: dueAt, missed_times: 10_000, reason: null }])
  const nextMs = Date.parse((await read(schedule)).next_run_at ?? '')
  expect(nextMs - clock.now().getTime()).toBeGreaterThan(0)
  expect(nextMs - clock.now().getTime()).toBeLessThanOrEqual(hourMs / 4)
  await archive(schedule)
})
