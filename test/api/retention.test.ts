import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/storage/database.ts'
import { movingClock } from '../support/moving-clock.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
const clock = movingClock()
const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

beforeAll(async () => {
  service = await startTestService({}, clock)
})
afterAll(() => service.close())

/** Traces of these ages in days, with a span each; answers their ids. */
function addTraces(ages: readonly number[]): string[] {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  try {
    return ages.map(age => {
      const id = crypto.randomUUID()
      const at = daysAgo(age)
      const { lastInsertRowid: no } = db
        .prepare(
          `insert into traces (id, workspace_id, source, project, provider_trace_id, name, started_at, span_count, error_count,
             lead_span_id, lead_is_root, lead_started_at, created_at, updated_at)
           values (?, ?, 'otlp', '', ?, 'call', ?, 1, 0, 's', 1, ?, ?, ?)`,
        )
        .run(id, service.workspaceId, id, at, at, at, at)
      db.prepare(
        `insert into spans (trace_no, span_id, revision, is_root, name, kind, status, started_at, mapping_version, digest, raw)
         values (?, 's', 1, 1, 'call', 'llm', 'ok', ?, 1, x'00', x'00')`,
      ).run(no, at)
      db.prepare(`insert into trace_search (rowid, name, ids, input, output) values (?, 'call', '', '', '')`).run(no)
      db.prepare(`insert into span_search (rowid, text) select (trace_no << 32) + no, 'call' from spans where trace_no = ?`).run(no)
      return id
    })
  } finally {
    db.close()
  }
}

const kept = async () => (await service.client.call('listTraces', { query: { limit: 100 } })).items.map(trace => trace.id)
const preview = (query: object) => service.client.call('previewRetention', { query: { kind: 'traces', ...query } })
const change = (max_age_days: number | null, max_items: number | null) =>
  service.client.call('changeRetention', { body: { kind: 'traces', max_age_days, max_items } })

test('nothing is removed without a rule, a preview counts, and a rule removes what the preview said', async () => {
  const ids = addTraces([1, 10, 40, 100])
  await service.client.call('changeItems', { body: { kind: 'trace', ids: [ids[3] ?? ''], folder: 'Old' } })
  const { items, events } = await service.client.call('listRetention', {})
  expect(events).toEqual([])
  expect(items.map(({ kind, max_age_days, max_items }) => [kind, max_age_days, max_items])).toEqual([
    ['traces', null, null],
    ['jobs', null, null],
    ['deliveries', null, null],
  ])
  expect(items[0]).toMatchObject({ items: 4 })
  expect(await preview({ max_age_days: 30 })).toMatchObject({ items: 2, kept: 2 })
  expect(await preview({ max_items: 3 })).toMatchObject({ items: 1, kept: 3 })
  expect(await preview({ max_age_days: 30, max_items: 1 })).toMatchObject({ items: 3, kept: 1 })
  expect(await kept()).toEqual(ids)

  await change(30, null)
  await expect.poll(kept).toEqual(ids.slice(0, 2))
  await expect
    .poll(async () => (await service.client.call('listRetention', {})).events)
    .toMatchObject([
      { kind: 'traces', event: 'removed', by: null, items: 2, max_age_days: 30, before: expect.any(String) },
      { kind: 'traces', event: 'changed', by: expect.any(String), items: 0, max_age_days: 30, before: null },
    ])
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const count = (table: string) => db.prepare(`select count(*) from ${table}`).pluck().get()
  expect([count('spans'), count('trace_search'), count('span_search'), count('item_marks')]).toEqual([2, 2, 2, 0])
  db.close()
})

test('a rule by number keeps the newest, and two nulls turn it off', async () => {
  await change(null, 1)
  await expect.poll(kept).toHaveLength(1)
  await change(null, null)
  const added = addTraces([500, 600])
  expect(await preview({})).toMatchObject({ items: 0, kept: 3 })
  expect(await kept()).toEqual(expect.arrayContaining(added))
  const [traces] = (await service.client.call('listRetention', {})).items
  expect(traces).toMatchObject({ max_age_days: null, max_items: null, items: 3 })
})

test('ended jobs are removed but for the newest of their kind, and those at work stay', async () => {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const insert = db.prepare(
    `insert into jobs (id, workspace_id, kind, state, input, owner_kind, fence, attempt, interruptions, stored, furthest, created_at, finished_at)
     values (?, ?, 'dataset_scan', ?, '{}', 'service', 0, 1, 0, 0, 0, ?, ?)`,
  )
  const id = (n: number) => `0000000${n}-0000-7000-8000-000000000000`
  insert.run(id(1), service.workspaceId, 'succeeded', daysAgo(90), daysAgo(90))
  insert.run(id(2), service.workspaceId, 'failed', daysAgo(80), daysAgo(80))
  insert.run(id(3), service.workspaceId, 'succeeded', daysAgo(70), daysAgo(70))
  // Work on the whole machine, for which no workspace has a rule.
  for (const [n, age] of [92, 91, 70].entries()) insert.run(id(n + 4), null, 'succeeded', daysAgo(age), daysAgo(age))
  db.close()
  await service.client.call('changeRetention', { body: { kind: 'jobs', max_age_days: 1, max_items: null } })
  const jobs = async () => (await service.client.call('listJobs', { query: { kind: 'dataset_scan' } })).items.map(job => job.id)
  await expect.poll(jobs).toEqual([id(6), id(3)])
})

test('refuses a rule of no days and a kind that is unknown', async () => {
  expect(await service.client.refusal('changeRetention', { body: { kind: 'traces', max_age_days: 0, max_items: null } })).toMatchObject({
    code: 'validation_error',
  })
  expect(await service.client.refusal('previewRetention', { query: { kind: 'runs' as never } })).toMatchObject({
    code: 'validation_error',
  })
})

test('only a signed-in owner or admin sets a rule', async () => {
  const body = { kind: 'traces', max_age_days: null, max_items: 1 } as const
  expect((await service.keyClient.refusal('changeRetention', { body })).code).toBe('owner_session_required')
  expect((await service.keyClient.call('listRetention', {})).items[0]).toMatchObject({ max_items: null })
})

test('a workload that has not ended keeps the traces that it will read, by id or by integration', async () => {
  const [named = '', within = '', neither = ''] = addTraces([800, 801, 802])
  const db = openDatabase(`${service.dataDir}/assay.db`)
  db.pragma('foreign_keys = off')
  const { lastInsertRowid: no } = db
    .prepare(
      `insert into tune_monitors (id, workspace_id, name, status, request, profile_id, target, baseline, owner_kind, owner_id, detector, created_at)
       values ('m', ?, 'Watch', 'archived', '{}', '', '{}', '{}', 'person', '', '{}', ?)`,
    )
    .run(service.workspaceId, daysAgo(0))
  const open = (source: object) =>
    db
      .prepare(
        `insert into tune_occurrences (id, monitor_no, kind, trigger, source, status, job_id, created_at)
         values (?, ?, 'workload', '{}', ?, 'accepted', '', ?)`,
      )
      .run(crypto.randomUUID(), no, JSON.stringify(source), daysAgo(0))
  const integration = crypto.randomUUID()
  db.prepare('update traces set integration_id = ? where id in (?, ?)').run(integration, within, neither)
  open({ trace_ids: [named.toUpperCase()] })
  open({ integration_id: integration, from: daysAgo(801.5), to: daysAgo(800.5) })
  const counted = await preview({ max_age_days: 799 })
  await change(799, null)
  await expect.poll(async () => (await service.client.call('listRetention', {})).events[0]?.event).toBe('removed')
  expect(await kept()).toEqual(expect.arrayContaining([named, within]))
  expect(await kept()).not.toContain(neither)
  expect(counted.items).toBe(1)
  db.close()
})

test('the job that a record is read with stays with it', async () => {
  const db = openDatabase(`${service.dataDir}/assay.db`)
  const insert = db.prepare(
    `insert into jobs (id, workspace_id, kind, state, input, owner_kind, subject_type, subject_id, fence, attempt, interruptions, stored,
       furthest, created_at, finished_at)
     values (?, ?, 'package_checks', 'succeeded', '{}', 'service', 'package', ?, 0, 1, 0, 0, 0, ?, ?)`,
  )
  const id = (n: number) => `1000000${n}-0000-7000-8000-000000000000`
  for (const [n, subject] of [
    [1, 'a'],
    [2, 'a'],
    [3, 'b'],
  ] as const)
    insert.run(id(n), service.workspaceId, subject, daysAgo(90), daysAgo(90))
  db.close()
  await service.client.call('changeRetention', { body: { kind: 'jobs', max_age_days: 2, max_items: null } })
  const jobs = async () => (await service.client.call('listJobs', { query: { kind: 'package_checks' } })).items.map(job => job.id)
  await expect.poll(jobs).toEqual([id(3), id(2)])
})

test('a clock that jumped ahead removes nothing by age before it is a day further', async () => {
  await change(null, null)
  const [first = '', second = '', third = ''] = addTraces([0.1, 0.2, 0.3])
  const own = async () => (await kept()).filter(id => [first, second, third].includes(id))
  await change(5, null)
  expect(await own()).toEqual([first, second, third])
  clock.advance(20 * dayMs)
  // By number one is removed, which also tells that the sweep is over.
  const held_until = new Date(clock.now().getTime() + dayMs).toISOString()
  expect(await preview({ max_age_days: 5, max_items: 2 })).toMatchObject({ kept: 2, held_until })
  expect(await preview({ max_items: 2 })).toMatchObject({ held_until: null })
  await change(5, 2)
  await expect.poll(own).toEqual([first, second])
  clock.advance(dayMs / 2)
  expect(await service.client.call('listRetention', {})).toMatchObject({ held_until })
  clock.advance(dayMs / 2)
  expect(await preview({ max_age_days: 5 })).toMatchObject({ kept: 0, held_until: null })
  await change(5, null)
  await expect.poll(own).toEqual([])
})
