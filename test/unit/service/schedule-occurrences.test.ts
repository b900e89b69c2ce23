import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../src/contract/errors.ts'
import { RunGroupQuoteRequest, type RunGroup, type RunGroupQuote } from '../../../src/contract/run-groups/run-groups.schemas.ts'
import { scheduleMachine } from '../../../src/contract/schedules/schedule.machine.ts'
import { createOccurrences } from '../../../src/service/schedules/occurrences.ts'
import { frozenBy } from '../../../src/service/schedules/frozen-terms.ts'
import { changeSchedule, findSchedule, insertOccurrence, insertSchedule } from '../../../src/service/schedules/schedules.store.ts'
import { transition } from '../../../src/storage/transition.ts'
import { unknownRoute } from '../../../src/service/quotes/select-model.ts'
import { WorkLimitError } from '../../../src/workers/bounded-pool.ts'
import { jobsOn, workspaces } from '../../support/jobs.ts'

const [workspaceId] = workspaces
const idOf = (no: number) => `019aa000-0000-7000-8000-0000000000f${no}`
const terms = RunGroupQuoteRequest.parse({
  models: [{ kind: 'managed', route_id: 'assay/oracle-75' }],
  selection: { profile_ids: ['own/a@1:default'] },
  coverage: { mode: 'sample', sample_count: 3, seed: 1 },
  max_charge_microusd: '0',
})

/** What is read of a quote. @param provider micro-USD; null: a connection states no rates @param judge its upper bound; absent: none */
const quoteOf = (
  provider: string | null,
  {
    limit = null,
    origin = null,
    judge,
    payer,
  }: { limit?: string | null; origin?: string | null; judge?: string | null; payer?: 'wallet' | 'provider' } = {},
) =>
  ({
    quotes: [
      {
        id: 'q',
        profiles: [],
        coverage: { task_digest: 'a' },
        model: { origin, rates: null },
        execution: { max_provider_billed_microusd: limit },
        cost: {
          provider_billed_upper_bound_microusd: provider,
          components: judge === undefined ? [] : [{ kind: 'judge_calls', upper_bound_microusd: judge, payer }],
        },
      },
    ],
    compatible: true,
    model_calls: 3,
    upper_bound_microusd: '0',
  }) as unknown as RunGroupQuote // the rest of a quote is not read

/** Schedules with one occurrence that is due each. @param quote while a schedule is quoted, anything may happen */
function duePorts(
  count: number,
  quote: (index: number) => RunGroupQuote | Promise<RunGroupQuote>,
  frozen = quoteOf('5'),
  isFailing = false,
) {
  const { db, clock } = jobsOn()
  const at = clock.now().toISOString()
  for (let i = 0; i < count; i++) {
    insertSchedule(db, {
      id: idOf(i),
      workspaceId,
      name: `Schedule ${i}`,
      cron: '0 * * * *',
      timeZone: 'UTC',
      terms,
      frozen: frozenBy(frozen),
      maxMonthly: '100',
      nextRunAt: at,
      ownerId: 'owner',
      createdAt: at,
    })
    insertOccurrence(db, { id: `occurrence-${i}`, scheduleNo: rowOf(i).no, dueAt: at, createdAt: at })
  }
  function rowOf(i: number) {
    const row = findSchedule(db, workspaceId, idOf(i))
    if (!row) throw new Error(`Schedule ${i} is gone.`)
    return row
  }
  const created: string[] = []
  let quoted = 0
  const occurrences = createOccurrences(
    { db, clock, log: pino({ level: 'silent' }) },
    {
      prepare: async () => ({ quote: await quote(quoted++), store: () => {} }),
      create: (_workspace, _principal, { name }) => {
        created.push(name)
        db.prepare('insert into run_groups (id, workspace_id, name, created_at) values (?, ?, ?, ?)').run(name, workspaceId, name, at)
        return { id: name } as RunGroup // nothing else of it is read
      },
      read: () => ({ ended: false }) as RunGroup,
      spent: () => 0n,
    },
    () => (isFailing ? { name: 'Away', status: 'failing' } : null),
    () => undefined,
  )
  const outcomes = () =>
    db.prepare('select status, reason, spent_microusd as spent from schedule_occurrences order by no').all() as {
      status: string
      reason: string | null
      spent: number
    }[] // the columns named
  return { db, clock, rowOf, occurrences, created, outcomes }
}

test('a schedule that is paused while its run is quoted starts none', async () => {
  const ports = duePorts(1, () => {
    const { no, id } = ports.rowOf(0)
    changeSchedule(ports.db, no, { pause_reason: 'person', next_run_at: null })
    transition(ports.db, scheduleMachine, { table: 'schedules', column: 'status' }, id, 'pause', ports.clock.now().toISOString())
    return quoteOf('5')
  })
  await ports.occurrences.startDue()
  expect(ports.created).toEqual([])
  expect(ports.outcomes()).toEqual([{ status: 'skipped', reason: 'paused', spent: 0 }])
})

test('a monthly limit that is lowered while a run is quoted is kept', async () => {
  const ports = duePorts(1, () => {
    changeSchedule(ports.db, ports.rowOf(0).no, { max_monthly_microusd: 4 })
    return quoteOf('5')
  })
  await ports.occurrences.startDue()
  expect(ports.outcomes()).toEqual([{ status: 'skipped', reason: 'cap_reached', spent: 0 }])
  expect(ports.rowOf(0)).toMatchObject({ status: 'paused', pause_message: expect.stringContaining('the monthly limit of $0.000004') })
})

test.each<[string, Parameters<typeof quoteOf>[1]]>([
  ['', { origin: 'https://api.example.com' }],
  [', and by a limit toward which nothing would be counted', { origin: 'https://api.example.com', limit: '50' }],
  [', of a judge beside a model of this machine', { origin: 'http://127.0.0.1:11434', judge: null, payer: 'provider' }],
])('a bill that is not known is never counted as nothing: the schedule is paused with what to set%s', async (_, more) => {
  const ports = duePorts(1, () => quoteOf(null, more), quoteOf(null, more))
  await ports.occurrences.startDue()
  expect(ports.created).toEqual([])
  expect(ports.rowOf(0)).toMatchObject({
    status: 'paused',
    pause_reason: 'cap_reached',
    pause_message: expect.stringContaining('Set its rates (0 where calls are free)'),
  })
})

test.each(['http://127.0.0.1:11434', 'http://localhost:8000', 'http://[::1]:8080'])(
  'an endpoint of this machine without rates bills nobody: %s',
  async origin => {
    const local = quoteOf(null, { origin })
    const ports = duePorts(1, () => local, local)
    await ports.occurrences.startDue()
    expect(ports.outcomes()).toEqual([{ status: 'started', reason: null, spent: 0 }])
  },
)

test('a judge beside a model of this machine that the wallet pays is bounded by the wallet', async () => {
  const local = quoteOf(null, { origin: 'http://127.0.0.1:11434', judge: '9', payer: 'wallet' })
  const charged = { ...local, upper_bound_microusd: '12' }
  const ports = duePorts(1, () => charged, charged)
  await ports.occurrences.startDue()
  expect(ports.outcomes()).toEqual([{ status: 'started', reason: null, spent: 12 }])
})

test.each([
  [null, 9],
  ['7', 7],
])('a judge beside a model of this machine that its provider bills counts what it can cost, under a limit of %s', async (limit, spent) => {
  const local = quoteOf(null, { origin: 'http://127.0.0.1:11434', judge: '9', payer: 'provider', limit })
  const ports = duePorts(1, () => local, local)
  await ports.occurrences.startDue()
  expect(ports.outcomes()).toEqual([{ status: 'started', reason: null, spent }])
})

describe('a fault that passes', () => {
  const minute = 60_000
  const busy = () => new ApiError('unavailable', 'The counting thread is busy.')
  const messageIn = ({ db }: ReturnType<typeof duePorts>) =>
    db.prepare('select message from schedule_occurrences order by no limit 1').pluck().get()

  test('lets an occurrence be tried again, not at every look, and leaves no trace once it has started', async () => {
    let quotes = 0
    const ports = duePorts(1, () => {
      if (++quotes < 3) throw quotes === 1 ? busy() : new WorkLimitError('time', '2 minutes')
      return quoteOf('5')
    })
    await ports.occurrences.startDue()
    expect(ports.outcomes()).toEqual([{ status: 'due', reason: null, spent: 0 }])
    expect(messageIn(ports)).toBe('The counting thread is busy. It is tried again every minute.')
    ports.clock.advance(minute - 1)
    await ports.occurrences.startDue()
    expect(quotes).toBe(1)
    ports.clock.advance(1)
    await ports.occurrences.startDue()
    expect(quotes).toBe(2)
    ports.clock.advance(minute)
    await ports.occurrences.startDue()
    expect(ports.outcomes()).toEqual([{ status: 'started', reason: null, spent: 5 }])
    expect(messageIn(ports)).toBeNull()
  })

  test('ends the occurrence after an hour, and the schedule goes on', async () => {
    const ports = duePorts(1, () => Promise.reject(busy()))
    for (let passed = 0; passed < 60; passed++) {
      await ports.occurrences.startDue()
      ports.clock.advance(minute)
    }
    expect(ports.outcomes()).toEqual([{ status: 'due', reason: null, spent: 0 }])
    await ports.occurrences.startDue()
    expect(ports.outcomes()).toEqual([{ status: 'failed', reason: 'gave_up', spent: 0 }])
    expect(messageIn(ports)).toBe('Gave up starting the run. Last error: The counting thread is busy.')
    expect(ports.rowOf(0).status).toBe('active')
  })

  test('may be that of a model: one that is back within the hour is asked, and one that is not pauses the schedule', async () => {
    const away = {
      ...quoteOf('5'),
      quotes: [
        { compatibility: { checks: [{ check: 'model_available', status: 'fail', detail: 'The last check failed: fetch failed' }] } },
      ],
      compatible: false,
    } as unknown as RunGroupQuote // the rest of a quote is not read
    const unknown = unknownRoute('assay/oracle-75')
    const isMissing = 'The model assay/oracle-75 is not offered now. Start its server.'
    const answers = [() => away, () => Promise.reject(unknown), () => quoteOf('5')]
    const back = duePorts(1, index => (answers[index] ?? answers[2])?.() ?? quoteOf('5'), quoteOf('5'), true)
    for (const message of ['The terms cannot be run: The last check failed: fetch failed.', isMissing]) {
      await back.occurrences.startDue()
      expect(messageIn(back)).toBe(`${message} It is tried again every minute.`)
      back.clock.advance(minute)
    }
    await back.occurrences.startDue()
    expect(back.outcomes()).toEqual([{ status: 'started', reason: null, spent: 5 }])

    const again = 'Resume the schedule once that has changed, or create another one.'
    for (const [answer, message] of [
      [() => away, `The terms cannot be run: The last check failed: fetch failed. ${again}`],
      [() => Promise.reject(unknown), `${isMissing} Resume the schedule then, or create one with another model.`],
    ] as const) {
      const gone = duePorts(1, answer, quoteOf('5'), true)
      await gone.occurrences.startDue()
      gone.clock.advance(60 * minute)
      await gone.occurrences.startDue()
      expect(gone.outcomes()).toEqual([{ status: 'skipped', reason: 'terms_changed', spent: 0 }])
      expect(gone.rowOf(0)).toMatchObject({ status: 'paused', pause_message: message })
    }
    // It was changed and not checked since.
    const changed = duePorts(1, () => away)
    await changed.occurrences.startDue()
    expect(changed.outcomes()).toEqual([{ status: 'skipped', reason: 'terms_changed', spent: 0 }])
    expect(changed.rowOf(0).pause_message).toContain(again)
  })

  test('is work that took too long once, a minute after that try has ended; memory is needed each time', async () => {
    const slow = duePorts(1, () => {
      slow.clock.advance(5 * minute)
      return Promise.reject(new WorkLimitError('time', '5 minutes'))
    })
    await slow.occurrences.startDue()
    expect(messageIn(slow)).toBe('The work took longer than 5 minutes and was stopped. It is tried once more.')
    const ended = slow.clock.now().getTime()
    await slow.occurrences.startDue()
    expect(slow.clock.now().getTime()).toBe(ended)
    slow.clock.advance(minute)
    await slow.occurrences.startDue()
    expect(slow.outcomes()).toEqual([{ status: 'failed', reason: 'gave_up', spent: 0 }])
    expect(messageIn(slow)).toBe('Gave up starting the run. Last error: The work took longer than 5 minutes and was stopped.')
    const large = duePorts(1, () => Promise.reject(new WorkLimitError('memory', '1024 MB')))
    await large.occurrences.startDue()
    expect(large.outcomes()).toEqual([{ status: 'failed', reason: 'refused', spent: 0 }])
  })

  test('ends the occurrence when the next time has come, which is started', async () => {
    let isBusy = true
    const ports = duePorts(1, () => (isBusy ? Promise.reject(busy()) : quoteOf('5')))
    await ports.occurrences.startDue()
    ports.clock.advance(15 * minute)
    const at = ports.clock.now().toISOString()
    insertOccurrence(ports.db, { id: 'next', scheduleNo: ports.rowOf(0).no, dueAt: at, createdAt: at })
    await ports.occurrences.startDue()
    isBusy = false
    ports.clock.advance(minute)
    await ports.occurrences.startDue()
    expect(ports.outcomes()).toEqual([
      { status: 'failed', reason: 'gave_up', spent: 0 },
      { status: 'started', reason: null, spent: 5 },
    ])
  })
})

test('an error of one schedule holds up no other', async () => {
  const ports = duePorts(2, index => {
    if (index === 0) throw new TypeError('its terms are of another version')
    return quoteOf('5')
  })
  await ports.occurrences.startDue()
  expect(ports.outcomes()).toEqual([
    { status: 'failed', reason: 'refused', spent: 0 },
    { status: 'started', reason: null, spent: 5 },
  ])
  expect(ports.created).toEqual(['Schedule 1'])
})
