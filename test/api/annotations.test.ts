import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { clientFor, startTestService, type TestClient, type TestService } from '../support/service.ts'

let service: TestService
let run: Run
let sampleIds: readonly string[]

beforeAll(async () => {
  service = await startTestService()
  run = await newRun('annotated')
  sampleIds = (await samplesWith({})).map(({ id }) => id)
})
afterAll(() => service.close())

async function newRun(name: string): Promise<Run> {
  const { client, baseUrl } = service
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: 'assay/first-option' },
    profiles: [await profileId(client, 'arithmetic-word-problems', 'zero-shot')],
    coverage: { mode: 'sample', sample_count: 6, seed: 1 },
  })
  return runToEnd(client, baseUrl, (await submit(client, id, name)).id)
}

const samplesWith = async (query: { tag?: string; bookmarked?: 'true' | 'false'; noted?: 'true' | 'false' }) =>
  (await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100, ...query } })).items
const positionsWith = async (query: Parameters<typeof samplesWith>[0]) => (await samplesWith(query)).map(({ position }) => position)
const read = (sample_id?: string) => service.client.call('getAnnotations', { params: { run_id: run.id }, query: { sample_id } })
const change = (body: Parameters<typeof changeAs>[1]) => changeAs(service.client, body)
const changeAs = (client: TestClient, body: { sample_ids?: string[]; bookmarked?: boolean; add_tags?: string[]; remove_tags?: string[] }) =>
  client.call('changeAnnotations', { params: { run_id: run.id }, body })

async function join(name: string): Promise<TestClient> {
  const { pairing_code: pairing } = await service.client.call('inviteMember', { body: { name, role: 'member' } })
  const reply = await service.fetch('/v1/sessions/pair', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: pairing.code }),
  })
  await reply.text()
  const token = /assay_session=([^;]+)/.exec(reply.headers.get('set-cookie') ?? '')?.[1] ?? ''
  return clientFor(service.baseUrl, token, service.workspaceId)
}

describe('bookmarks and tags', () => {
  test('keep who set them and when, and show in lists', async () => {
    await change({ bookmarked: true, add_tags: ['Baseline', ' needs review '] })
    const { bookmark, tags } = await read()
    expect(bookmark).toEqual({ by: { kind: 'person', id: expect.any(String), name: expect.any(String) }, at: expect.any(String) })
    expect(tags.map(({ tag, by }) => [tag, by.kind])).toEqual([
      ['baseline', 'person'],
      ['needs review', 'person'],
    ])
    const other = await newRun('plain')
    const listed = async (query: { tag?: string; bookmarked?: 'true' | 'false'; created_from?: string; created_before?: string }) =>
      (await service.client.call('listRuns', { query })).items.map(({ id }) => id)
    expect(await listed({ tag: 'BASELINE' })).toEqual([run.id])
    expect(await listed({ bookmarked: 'true' })).toEqual([run.id])
    expect(await listed({ bookmarked: 'false' })).toEqual([other.id])
    const { created_at } = await service.client.call('getRun', { params: { run_id: other.id } })
    expect(await listed({ created_before: created_at })).toEqual([run.id])
    expect(await listed({ created_from: created_at })).toEqual([other.id])
    expect((await service.client.call('getRun', { params: { run_id: run.id } })).annotations).toEqual({
      bookmarked: true,
      tags: ['baseline', 'needs review'],
      notes: 0,
    })
    await change({ bookmarked: false, remove_tags: ['needs review'] })
    expect((await read()).tags.map(({ tag }) => tag)).toEqual(['baseline'])
    expect(await listed({ bookmarked: 'true' })).toEqual([])
  })

  test('are set on many samples at once and filter them, counted and by page', async () => {
    const [first = '', , third = ''] = sampleIds
    expect(await change({ sample_ids: [first, third], add_tags: ['ambiguous'] })).toEqual({ targets: 2 })
    await change({ sample_ids: [third], bookmarked: true })
    expect(await positionsWith({ tag: 'ambiguous' })).toEqual([0, 2])
    expect(await positionsWith({ bookmarked: 'true' })).toEqual([2])
    expect(await positionsWith({ bookmarked: 'false' })).toEqual([0, 1, 3, 4, 5])
    const page = await service.client.call('listSamples', { params: { run_id: run.id }, query: { tag: 'ambiguous', limit: 1 } })
    expect(page).toMatchObject({ total: 2, items: [{ annotations: { tags: ['ambiguous'], bookmarked: false, notes: 0 } }] })
    expect(await service.client.call('listTags', {})).toEqual({
      items: [
        { tag: 'ambiguous', runs: 0, samples: 2 },
        { tag: 'baseline', runs: 1, samples: 0 },
      ],
      next_cursor: null,
    })
    expect((await service.client.call('listTags', { query: { q: 'base' } })).items).toEqual([{ tag: 'baseline', runs: 1, samples: 0 }])
    for (const [of, tag] of [
      ['runs', 'baseline'],
      ['samples', 'ambiguous'],
    ] as const)
      expect((await service.client.call('listTags', { query: { of } })).items.map(use => use.tag)).toEqual([tag])
    const begun = await service.client.call('listTags', { query: { limit: 1, run_id: run.id } })
    expect(begun.items.map(({ tag }) => tag)).toEqual(['ambiguous'])
    const rest = await service.client.call('listTags', { query: { limit: 1, run_id: run.id, cursor: begun.next_cursor ?? '' } })
    expect(rest.items.map(({ tag }) => tag)).toEqual(['baseline'])
  })

  test('keep the first author when set again', async () => {
    const { bookmark } = await read(sampleIds[2])
    await changeAs(service.keyClient, { sample_ids: [sampleIds[2] ?? ''], bookmarked: true })
    expect((await read(sampleIds[2])).bookmark).toEqual(bookmark)
  })

  test.each(['', '<b>', 'a\u202eb', '-x', 'x'.repeat(51)])('refuse the tag %j', async tag => {
    expect(await service.client.refusal('changeAnnotations', { params: { run_id: run.id }, body: { add_tags: [tag] } })).toMatchObject({
      status: 422,
    })
  })

  test('are limited, and an unknown sample changes nothing', async () => {
    const many = Array.from({ length: 20 }, (_, i) => `t${i}`)
    const body = { sample_ids: [sampleIds[5] ?? ''], add_tags: many }
    await change(body)
    expect(
      await service.client.refusal('changeAnnotations', { params: { run_id: run.id }, body: { ...body, add_tags: ['one more'] } }),
    ).toMatchObject({ code: 'conflict', message: expect.stringContaining('at most 20 tags') })
    expect((await read(sampleIds[5])).tags).toHaveLength(20)
    const unknown = { sample_ids: [sampleIds[1] ?? '', randomUUID()], bookmarked: true }
    expect(await service.client.refusal('changeAnnotations', { params: { run_id: run.id }, body: unknown })).toMatchObject({ status: 404 })
    expect((await read(sampleIds[1])).bookmark).toBe(null)
  })
})

describe('notes', () => {
  test('are plain text with author and time, kept as written', async () => {
    const text = 'First line\n<script>alert(1)</script> **not bold**'
    const note = await service.client.call('createNote', { params: { run_id: run.id }, body: { sample_id: sampleIds[1], note: text } })
    expect(note).toMatchObject({ run_id: run.id, sample_id: sampleIds[1], note: text, by: { kind: 'person' }, own: true, changed_at: null })
    expect((await read(sampleIds[1])).notes).toEqual([note])
    expect((await read()).notes).toEqual([])
    expect(await positionsWith({ noted: 'true' })).toEqual([1])
    expect(await positionsWith({ noted: 'false' })).toEqual([0, 2, 3, 4, 5])
  })

  test.each(['', '  ', 'a\u0000b', 'a\u001b[31m', 'x'.repeat(10_001)])('refuses the text %j', async text => {
    expect(await service.client.refusal('createNote', { params: { run_id: run.id }, body: { note: text } })).toMatchObject({ status: 422 })
  })

  test('are edited by their author, deleted by the author, an owner or an admin', async () => {
    const [ada, ben] = [await join('Ada'), await join('Ben')]
    const { id } = await ada.call('createNote', { params: { run_id: run.id }, body: { note: 'Looks low' } })
    const params = { run_id: run.id, note_id: id }
    const seenByBen = await ben.call('getAnnotations', { params: { run_id: run.id } })
    expect(seenByBen.notes.map(({ note, own }) => ({ note, own }))).toEqual([{ note: 'Looks low', own: false }])
    expect(await ben.refusal('changeNote', { params, body: { note: 'x' } })).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('Ada'),
    })
    expect(await service.client.refusal('changeNote', { params, body: { note: 'x' } })).toMatchObject({ code: 'conflict' })
    expect(await ada.call('changeNote', { params, body: { note: 'Looks high' } })).toMatchObject({
      note: 'Looks high',
      by: { kind: 'person', name: 'Ada' },
      changed_at: expect.any(String),
    })
    expect(await ben.refusal('deleteNote', { params })).toMatchObject({ code: 'owner_session_required' })
    expect(await service.keyClient.refusal('deleteNote', { params })).toMatchObject({ code: 'owner_session_required' })
    expect(await service.client.call('deleteNote', { params })).toEqual({ note_id: id })
    expect(await ada.refusal('changeNote', { params, body: { note: 'x' } })).toMatchObject({ status: 404 })
  })
})

test('a retry is not annotated, its run is', async () => {
  const part = await service.client.call('retrySamples', { params: { run_id: run.id }, body: { sample_ids: [sampleIds[0] ?? ''] } })
  await runToEnd(service.client, service.baseUrl, part.id)
  expect(await service.client.refusal('changeAnnotations', { params: { run_id: part.id }, body: { bookmarked: true } })).toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(run.id),
  })
})

test('verdicts of people on a sample are listed, newest first', async () => {
  const target = { run_id: run.id, sample_id: sampleIds[0] ?? '' }
  await service.client.call('createReleaseLabel', { body: { target, verdict: 'fail', rationale: 'Wrong unit' } })
  await service.client.call('createReleaseLabel', { body: { target, verdict: 'pass' } })
  const { items } = await service.client.call('listReleaseLabels', { query: target })
  expect(items.map(({ verdict, rationale }) => [verdict, rationale])).toEqual([
    ['pass', ''],
    ['fail', 'Wrong unit'],
  ])
  const unknown = { ...target, sample_id: randomUUID() }
  expect(await service.client.refusal('listReleaseLabels', { query: unknown })).toMatchObject({ status: 404 })
})

test('the report and the JSON of a run hold its annotations as they are now, other exports do not', async () => {
  const noted = await newRun('exported')
  const exported = async (format: string) => {
    const reply = await service.fetch(`/v1/runs/${noted.id}/export?format=${format}`)
    return { etag: reply.headers.get('etag'), text: await reply.text() }
  }
  const before = await exported('json')
  expect(JSON.parse(before.text)).not.toHaveProperty('annotations')
  const { items } = await service.client.call('listSamples', { params: { run_id: noted.id }, query: { limit: 1 } })
  const params = { run_id: noted.id }
  await service.client.call('changeAnnotations', { params, body: { add_tags: ['exported tag'] } })
  await service.client.call('createNote', { params, body: { sample_id: items[0]?.id, note: 'Ambiguous question' } })
  const after = await exported('json')
  expect(after.etag).not.toBe(before.etag)
  expect(JSON.parse(after.text)).toMatchObject({
    annotations: [
      { sample_id: null, position: null, bookmark: null, tags: [{ tag: 'exported tag', by: { kind: 'person' } }], notes: [] },
      { sample_id: items[0]?.id, position: 0, tags: [], notes: [{ note: 'Ambiguous question', changed_at: null }] },
    ],
  })
  expect((await exported('html')).text).toContain('Ambiguous question')
  expect((await exported('csv')).text).not.toContain('Ambiguous question')
})

test('annotations go with their run', async () => {
  const gone = await newRun('gone')
  await service.client.call('createNote', { params: { run_id: gone.id }, body: { note: 'x' } })
  await service.client.call('changeAnnotations', { params: { run_id: gone.id }, body: { add_tags: ['gone'] } })
  await service.client.call('deleteRun', { params: { run_id: gone.id } })
  expect((await service.client.call('listTags', { query: { q: 'gone' } })).items).toEqual([])
  const db = openDatabase(`${service.dataDir}/assay.db`, { readonly: true })
  const left = () =>
    db
      .prepare(
        'select (select count(*) from run_notes where run_no = r.no) + (select count(*) from run_marks where run_no = r.no) from runs r where id = ?',
      )
      .pluck()
      .get(gone.id)
  await expect.poll(left).toBe(0)
  db.close()
})
