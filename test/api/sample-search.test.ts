import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Api, Request, Run } from '../../src/contract/index.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

type Query = NonNullable<Request<Api['listSamples']>['query']>

let service: TestService
let run: Run

/** Large enough for searches to have a file of their own. */
beforeAll(async () => {
  service = await startTestService()
  const profile = await profileId(service.client, 'arithmetic-word-problems', 'zero-shot')
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id: 'assay/oracle-50' },
    profiles: [profile],
    execution: { epochs: 75 },
  })
  run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
})
afterAll(() => service.close())

const folder = () => join(service.dataDir, 'cache', 'search')
const files = () => (existsSync(folder()) ? readdirSync(folder()).filter(name => name.endsWith('.texts')) : [])
const list = async (query: Query) => {
  const { items, total } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 100, ...query } })
  return { total, positions: items.map(({ position }) => position) }
}

test('a search finds the same in the file of a large run as in its samples', async () => {
  await expect.poll(files).toHaveLength(1)
  const { items } = await service.client.call('listSamples', { params: { run_id: run.id }, query: { limit: 1 } })
  const taskId = items[0]?.task_id ?? ''
  const queries: Query[] = [
    { q: taskId },
    { q: taskId.toUpperCase() },
    { q: taskId.slice(-2), sort: '-position' },
    { q: '1' },
    { q: '7', offset: 250 },
    { q: '12', outcome: 'wrong', sort: '-latency' },
    { q: '%' },
    { q: '_' },
    { q: 'nowhere' },
    { q: 'é' },
  ]
  const indexed = await Promise.all(queries.map(list))
  expect(indexed[0]?.positions).toContain(0)
  expect(indexed[1]).toEqual(indexed[0])
  expect(indexed.at(-2)).toEqual({ total: 0, positions: [] })

  const [name = ''] = files()
  // A file that is not whole tells nothing.
  truncateSync(join(folder(), name), 5_000)
  for (const [i, query] of queries.entries()) expect(await list(query), JSON.stringify(query)).toEqual(indexed[i])
})

test('the pages of a search follow each other', async () => {
  rmSync(folder(), { recursive: true, force: true })
  const pages = async () => {
    const places: number[] = []
    for (let cursor: string | null | undefined; cursor !== null && places.length < 350; ) {
      const query: Query = { q: '7', limit: 100, sort: '-position', ...(cursor ? { cursor } : {}) }
      const page = await service.client.call('listSamples', { params: { run_id: run.id }, query })
      places.push(...page.items.map(({ position }) => position))
      cursor = page.next_cursor
    }
    return places
  }
  const scanned = await pages()
  // The search itself had the file written again.
  await expect.poll(files).toHaveLength(1)
  expect(await pages()).toEqual(scanned)
  expect(scanned).toEqual([...new Set(scanned)].sort((a, b) => b - a))
})

test('a start makes the file of a run that lacks one', async () => {
  await service.restart(() => rmSync(folder(), { recursive: true }))
  await expect.poll(files).toHaveLength(1)
})

test('a regraded run is searched in a file of its new result, and a deleted one leaves none', async () => {
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
