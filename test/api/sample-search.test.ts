import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import type { Run } from '../../src/contract/runs/runs.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Query = NonNullable<Request<Api['listSamples']>['query']>

let service: TestService
let run: Run

/** Large enough for searches to have an index. */
beforeAll(async () => {
  service = await startTestService()
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [profile],
    // All tasks, drawn by a seed: a word of a few tasks must have wrong answers.
    coverage: { mode: 'sample', sample_count: 270, seed: 1 },
    execution: { epochs: 10 },
  })
  run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
})
afterAll(() => service.close())

const folder = () => join(service.dataDir, 'cache', 'search')
const files = () => (existsSync(folder()) ? readdirSync(folder()).filter(name => name.endsWith('.index')) : [])
const list = async (query: Query) => {
  const { items, total, searched_by } = await service.client.call('listSamples', {
    params: { run_id: run.id },
    query: { limit: 100, ...query },
  })
  return { searched_by, total, positions: items.map(({ position }) => position), items }
}
const sampleAt = async (offset: number) => {
  const [item] = (await list({ offset, limit: 1 })).items
  if (!item) throw new Error(`No sample ${offset}.`)
  return service.client.call('getSample', { params: { run_id: run.id, sample_id: item.id } })
}

test('a search finds whatever of a sample is on the screen, by index as by reading', async () => {
  await expect.poll(files).toHaveLength(1)
  const { id, task_id, output, targets, score_details } = await sampleAt(1234)
  const [shown] = (await list({ offset: 1234, limit: 1 })).items
  await service.client.call('createNote', { params: { run_id: run.id }, body: { sample_id: id, note: 'Ask Zenobia about this' } })
  const [first = '', second = ''] = shown?.input_preview.match(/[a-z]{3,}/gi) ?? []
  const queries: Query[] = [
    { q: task_id },
    { q: task_id.toUpperCase() },
    { q: `${second} ${first}` },
    { q: `"${first} ${second}"` },
    { q: `-${first}` },
    { q: 'zenobia' },
    { q: `zenobia "${task_id}"` },
    { q: `zenobia -"${task_id}"` },
    { q: targets[0] ?? '', sort: '-position' },
    { q: output ?? '', match: 'exact' },
    { q: (output ?? '').slice(-9), match: 'exact' },
    ...[1, 2, 3, 5, 8, 13].map((length, i): Query => ({ q: (shown?.input_preview ?? '').slice(7 * i, 7 * i + length), match: 'exact' })),
    { q: `${first.slice(1)} nowhere`, match: 'exact' },
    { q: first, outcome: 'wrong', sort: '-latency' },
    { q: first, offset: 250 },
    { q: score_details[0]?.explanation.slice(0, 200) ?? '' },
    { q: '%' },
    { q: 'nowherefound' },
  ]
  const indexed = await Promise.all(queries.map(list))
  for (const { searched_by } of indexed) expect(searched_by).toBe('index')
  expect(indexed.map(({ total }) => total === 0)).toEqual(
    queries.map(({ q }) => q === '%' || q === 'nowherefound' || q === `${first.slice(1)} nowhere` || q === `zenobia -"${task_id}"`),
  )
  expect(indexed[5]?.positions).toEqual([1234])
  expect(indexed[6]?.positions).toEqual([1234])
  expect(indexed.at(-1)).toMatchObject({ total: 0, positions: [] })

  const [name = ''] = files()
  // An index that is not whole tells nothing.
  truncateSync(join(folder(), name), 9_000)
  for (const [i, query] of queries.entries()) {
    const scanned = await list(query)
    expect(scanned.searched_by).toBe('scan')
    expect({ ...scanned, searched_by: 'index' }, JSON.stringify(query)).toEqual(indexed[i])
  }
})

test('a sample is located among those that match, in any order', async () => {
  const filters: Query[] = [
    {},
    { sort: '-position' },
    { sort: '-latency' },
    { outcome: 'wrong' },
    { outcome: 'wrong', sort: 'output_tokens' },
    { q: 'the' },
    { q: 'the', sort: '-position', match: 'exact' },
    { q: 'the', sort: '-latency' },
  ]
  for (const filter of filters) {
    const { items } = await list({ ...filter, offset: 60, limit: 1 })
    const { located_at } = await service.client.call('listSamples', {
      params: { run_id: run.id },
      query: { ...filter, limit: 1, ...(items[0] ? { locate: items[0].id } : {}) },
    })
    expect(located_at, JSON.stringify(filter)).toBe(60)
  }
  const [right] = (await list({ outcome: 'correct', limit: 1 })).items
  const query: Query = { outcome: 'wrong', limit: 1, ...(right ? { locate: right.id } : {}) }
  expect((await service.client.call('listSamples', { params: { run_id: run.id }, query })).located_at).toBeNull()
})

test('samples that are not correct are in groups, each a filter', async () => {
  const { groups, scored } = await service.client.call('getSampleGroups', { params: { run_id: run.id } })
  expect(scored).toBe(run.progress.frozen)
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe((await list({ outcome: 'wrong', limit: 1 })).total)
  for (const { group, code, count } of groups) {
    const found = await list({ group, ...(code === null ? {} : { group_code: code }), sort: '-position', limit: 5 })
    expect(found.total).toBe(count)
    expect(found.items.every(({ passed }) => passed === false)).toBe(true)
  }
  expect((await list({ group: 'refused', q: 'the' })).total).toBe(0)
})

test('the pages of a search follow each other', async () => {
  rmSync(folder(), { recursive: true, force: true })
  const pages = async () => {
    const places: number[] = []
    for (let cursor: string | null | undefined; cursor !== null && places.length < 350; ) {
      const query: Query = { q: 'the', limit: 100, sort: '-position', ...(cursor ? { cursor } : {}) }
      const page = await service.client.call('listSamples', { params: { run_id: run.id }, query })
      places.push(...page.items.map(({ position }) => position))
      cursor = page.next_cursor
    }
    return places
  }
  const scanned = await pages()
  // The search itself had the index made again.
  await expect.poll(files).toHaveLength(1)
  expect(await pages()).toEqual(scanned)
  expect(scanned).toEqual([...new Set(scanned)].sort((a, b) => b - a))
})

test('a start makes the index of a run that lacks one', async () => {
  await service.restart(() => rmSync(folder(), { recursive: true }))
  await expect.poll(files).toHaveLength(1)
})

test('a regraded run is searched in an index of its new result, and a deleted one leaves none', async () => {
  const [before] = files()
  await service.client.call('regradeRun', { params: { run_id: run.id }, body: {} })
  await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: run.id } })).result_version).toBe(2)
  // Looking at the samples is enough.
  await list({})
  await expect.poll(files).not.toEqual([before])
  await expect.poll(files).toHaveLength(1)
  await service.client.call('deleteRun', { params: { run_id: run.id } })
  expect(files()).toEqual([])
})
