import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { TaskMetadata } from '../../src/contract/catalog/tasks.schemas.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { importFiles } from '../support/imports.ts'
import { startTestService, type TestService } from '../support/service.ts'

type NewSuite = NonNullable<Request<Api['createSuite']>['body']>

const shipped = new URL('../../resources/suites/', import.meta.url)
let service: TestService
let source: string
let tasks: readonly TaskMetadata[]

beforeAll(async () => {
  service = await startTestService()
  const { latest_version } = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
  source = latest_version?.source_ref ?? ''
  tasks = (await service.client.call('listTasks', { query: { source_ref: source, limit: 20 } })).items
})
afterAll(() => service.close())

const selection = (ids: readonly string[], ref = source, split: 'test' | 'canonical' = 'test') => ({
  source_ref: ref,
  split,
  task_ids: [...ids],
})
const ids = (from: number, to: number) => tasks.slice(from, to).map(task => task.task_id)
const make = (body: Partial<NewSuite> & Pick<NewSuite, 'task_selections'>) =>
  service.client.call('createSuite', { body: { name: 'a suite', ...body } })
const refused = (body: Partial<NewSuite> & Pick<NewSuite, 'task_selections'>) =>
  service.client.refusal('createSuite', { body: { name: 'a suite', ...body } })

describe('a suite', () => {
  test('keeps exact tasks under their resolved identity, in the order given', async () => {
    const alias = source.replace(/^eval:\/\/assay\/([^/]+)\/(.+)$/, '$1@$2')
    const backwards = ids(0, 5).reverse()
    const suite = await make({ description: 'Five.', task_selections: [selection(backwards, alias)] })
    expect(suite).toMatchObject({
      version: 1,
      suite_id: suite.id,
      previous_version_id: null,
      latest: true,
      origin: 'workspace',
      visibility: 'workspace',
      tasks: 5,
    })
    expect(suite.task_selections).toEqual([
      { source_ref: source, split: 'test', version_digest: expect.stringMatching(/^[0-9a-f]{64}$/), task_ids: backwards },
    ])
    expect(suite.sources).toEqual([
      { source_ref: source, slug: 'arithmetic-word-problems', title: 'Arithmetic word problems', split: 'test', tasks: 5 },
    ])
    expect(suite.capabilities).toEqual([
      { capability: 'arithmetic', tasks: 5 },
      { capability: 'multi-step reasoning', tasks: 5 },
    ])
    expect(await service.client.call('getSuite', { params: { suite_version_id: suite.id } })).toEqual(suite)
    const same = await make({ task_selections: [selection(backwards)] })
    expect(same.digest).toBe(suite.digest)
    expect((await make({ task_selections: [selection(ids(0, 5))] })).digest).not.toBe(suite.digest)
  })

  test('is followed by its next version and stays as it is', async () => {
    const first = await make({ name: 'growing', task_selections: [selection(ids(0, 2))] })
    const second = await make({ name: 'growing', task_selections: [selection(ids(0, 3))], previous_version_id: first.id })
    expect(second).toMatchObject({ suite_id: first.id, version: 2, previous_version_id: first.id, latest: true })
    const reread = await service.client.call('getSuite', { params: { suite_version_id: first.id } })
    expect(reread).toEqual({ ...first, latest: false })
    const branch = await refused({ task_selections: [selection(ids(0, 4))], previous_version_id: first.id })
    expect(branch).toMatchObject({ status: 409, code: 'conflict', message: expect.stringContaining(second.id) })
    expect(await refused({ task_selections: [selection(ids(0, 4))], previous_version_id: randomUUID() })).toMatchObject({ status: 404 })
    const latest = await service.client.call('listSuites', { query: { q: 'GROWING' } })
    expect(latest.items.map(item => item.id)).toEqual([second.id])
    const all = await service.client.call('listSuites', { query: { q: 'growing', all_versions: true } })
    expect(all.items.map(item => item.id)).toEqual([second.id, first.id])
    const db = openDatabase(`${service.dataDir}/assay.db`)
    expect(() => db.prepare(`update suite_versions set name = 'other' where id = ?`).run(first.id)).toThrow('immutable')
    db.close()
  })

  test('names every culprit when tasks, sources or splits are not there', async () => {
    const known = ids(0, 1)[0] ?? ''
    const unknown = await refused({
      task_selections: [
        selection([known, 'nope-1', 'nope-2']),
        selection(['x'], 'eval://nobody/nothing/1'),
        selection([known], source, 'canonical'),
      ],
    })
    expect(unknown).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(unknown.detail.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['body.task_selections.1.source_ref', 'unknown_source'],
      ['body.task_selections.0.task_ids.1', 'unknown_task'],
      ['body.task_selections.0.task_ids.2', 'unknown_task'],
      ['body.task_selections.2.task_ids.0', 'wrong_split'],
    ])
    expect(unknown.message).toContain('"nope-1"')
    expect(unknown.message).toContain('eval://nobody/nothing/1')
  })

  test('names tasks selected twice, sources selected twice, and selections that ask for coverage too', async () => {
    const [a = '', b = ''] = ids(0, 2)
    const twice = await refused({ task_selections: [selection([a, b, a]), selection([b])] })
    expect(twice).toMatchObject({ status: 422, code: 'validation_error' })
    expect(twice.detail.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
      ['body.task_selections.0.task_ids.2', 'duplicate_task'],
      ['body.task_selections.1.source_ref', 'duplicate_selection'],
    ])
    const mixed = await refused({ task_selections: [{ ...selection([a]), coverage: { mode: 'sample', sample_count: 3, seed: 1 } }] })
    expect(mixed.detail).toEqual([
      { loc: ['body', 'task_selections', 0, 'coverage'], msg: expect.stringContaining('sample coverage'), type: 'mixed_selection' },
    ])
    expect(await refused({ task_selections: [] })).toMatchObject({ status: 422 })
    expect(await refused({ task_selections: [selection([])] })).toMatchObject({ status: 422 })
  })

  test('needs every task that one of its tasks depends on', async () => {
    const record = await importFiles(
      service,
      { format: 'jsonl', name: 'chained', mapping: JSON.stringify({ id: 'id', input: 'input', target: 'target' }) },
      [
        {
          name: 'chained.jsonl',
          content: ['a', 'b', 'c'].map(id => JSON.stringify({ id, input: `Question ${id}, which is long enough`, target: '1' })).join('\n'),
        },
      ],
    )
    expect(record).toMatchObject({ status: 'imported' })
    const ref = record.source_ref ?? ''
    const db = openDatabase(`${service.dataDir}/assay.db`)
    db.prepare(
      `update tasks set depends_on = '["a","b"]' where task_id = 'c' and version_no = (select no from benchmark_versions where source_ref = ?)`,
    ).run(ref)
    db.close()
    const missing = await refused({ task_selections: [selection(['c', 'b'], ref)] })
    expect(missing).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(missing.detail).toEqual([
      {
        loc: ['body', 'task_selections', 0, 'task_ids', 0],
        msg: `the task "c" of ${ref} depends on "a", which is not selected`,
        type: 'missing_dependency',
      },
    ])
    expect((await make({ task_selections: [selection(['c', 'b', 'a'], ref)] })).tasks).toBe(3)
    const exposed = await refused({ visibility: 'public', task_selections: [selection(['a'], ref)] })
    expect(exposed.detail).toEqual([
      { loc: ['body', 'task_selections', 0, 'source_ref'], msg: expect.stringContaining(ref), type: 'source_not_public' },
    ])
  })

  test('is made once per Idempotency-Key and is no quote', async () => {
    const request = { body: { name: 'once', task_selections: [selection(ids(0, 1))] }, headers: { 'idempotency-key': 'suite-once' } }
    expect((await service.client.call('createSuite', request)).id).toBe((await service.client.call('createSuite', request)).id)
    const suite = await make({ task_selections: [selection(ids(0, 1))] })
    const body = {
      model: { kind: 'managed', route_id: 'assay/echo' },
      selection: { suite_version_id: suite.id },
      coverage: { mode: 'full' },
      max_charge_microusd: '0',
    } as const
    expect(await service.client.refusal('createQuote', { body })).toMatchObject({ status: 422, code: 'exact_task_suite' })
  })
})

describe('public suites', () => {
  test('ship with the product, every file of them runnable on a fresh installation', async () => {
    const files = readdirSync(shipped).map(
      name =>
        JSON.parse(readFileSync(new URL(name, shipped), 'utf8')) as { id: string; name: string; task_selections: { task_ids: string[] }[] },
    )
    const { items, next_cursor } = await service.client.call('listPublicSuites', { query: {} })
    expect(next_cursor).toBeNull()
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const listed = items.find(item => item.id === file.id)
      expect(listed).toMatchObject({
        name: file.name,
        origin: 'bundled',
        visibility: 'public',
        tasks: file.task_selections.flatMap(part => part.task_ids).length,
      })
      const suite = await service.client.call('getPublicSuite', { params: { suite_version_id: file.id } })
      expect(suite.task_selections.map(part => part.task_ids)).toEqual(file.task_selections.map(part => part.task_ids))
      expect(await service.client.call('getSuite', { params: { suite_version_id: file.id } })).toEqual(suite)
    }
    const one = await service.client.call('listPublicSuites', { query: { limit: 1 } })
    const two = await service.client.call('listPublicSuites', { query: { limit: 1, cursor: one.next_cursor ?? '' } })
    expect([one.items[0]?.id, two.items[0]?.id]).toEqual(items.slice(0, 2).map(item => item.id))
  })

  test('are those that are public, and no other', async () => {
    const own = await make({ name: 'own', task_selections: [selection(ids(0, 1))] })
    const open = await make({ name: 'open', visibility: 'public', task_selections: [selection(ids(0, 1))] })
    const { items } = await service.client.call('listPublicSuites', { query: { limit: 100 } })
    expect(items.map(item => item.id)).toContain(open.id)
    expect(items.map(item => item.id)).not.toContain(own.id)
    expect(await service.client.refusal('getPublicSuite', { params: { suite_version_id: own.id } })).toMatchObject({ status: 404 })
    const mine = await service.client.call('listSuites', { query: { limit: 100 } })
    expect(mine.items.map(item => item.origin)).toEqual(mine.items.map(() => 'workspace'))
  })
})
