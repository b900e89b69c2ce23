import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Api } from '../../src/contract/api.ts'
import type { Request } from '../../src/contract/endpoint.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { gsm8kLines, importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const slugs = async (query: Request<Api['listBenchmarks']>['query']) =>
  (await service.client.call('listBenchmarks', { query: { limit: 100, ...query } })).items.map(item => item.slug)

describe('benchmarks', () => {
  test('lists the bundled ones ready to run and the recipes with what they lack', async () => {
    // The first list after a start does not wait for the check of what may run code; reading one that does, and what a model can run, do.
    const first = (await service.client.call('listBenchmarks', { query: { limit: 100 } })).items
    expect(first.find(({ slug }) => slug === 'python-functions')?.quote_availability.status).toBe('checking')
    expect(first.find(({ slug }) => slug === 'humaneval')?.quote_availability.status).toBe('data_required')
    const read = await service.client.call('getBenchmark', { params: { slug: 'python-functions' } })
    expect(read.quote_availability.status).toBe('ready_for_quote')
    const { items, next_cursor } = await service.client.call('listBenchmarks', { query: { limit: 100 } })
    expect(next_cursor).toBeNull()
    expect(items.map(item => item.title)).toEqual(items.map(item => item.title).sort())
    const status = Object.fromEntries(items.map(item => [item.slug, item.quote_availability.status]))
    expect(status).toMatchObject({
      'arithmetic-word-problems': 'ready_for_quote',
      'instruction-following': 'ready_for_quote',
      gsm8k: 'data_required',
      mmlu: 'data_required',
      humaneval: 'data_required',
      'python-functions': 'ready_for_quote',
    })
    const unready = items.filter(item => item.quote_availability.status !== 'ready_for_quote')
    expect(unready.every(item => item.quote_availability.reasons.length > 0)).toBe(true)
  })

  test('filters by words, runner, capability, status and model', async () => {
    expect(await slugs({ q: 'WORD arithmetic' })).toEqual(['arithmetic-word-problems', 'gsm8k'])
    expect(await slugs({ q: 'stories arithmetic' })).toEqual(['arithmetic-word-problems'])
    expect(await slugs({ runner: 'spreadsheetbench' })).toEqual(['spreadsheet-edits', 'spreadsheetbench'])
    expect(await slugs({ capability: 'instruction following' })).toEqual(['ifbench', 'ifeval', 'instruction-following', 'mt-bench'])
    expect(await slugs({ status: 'retired' })).toEqual([])
    expect((await slugs({ model: 'assay/random' })).sort()).toEqual([
      'arithmetic-word-problems',
      'contest-problems',
      'everyday-programs',
      'instruction-following',
      'javascript-functions',
      'logic-choice',
      'python-functions',
      'reading-comprehension',
      'spreadsheet-edits',
    ])
    expect(await slugs({ model: 'no/such-route' })).toEqual([])
  })

  test('pages without gaps, and a cursor is good for its own filters only', async () => {
    const all = await slugs({})
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await service.client.call('listBenchmarks', { query: { limit: 4, ...(cursor ? { cursor } : {}) } })
      seen.push(...page.items.map(item => item.slug))
      cursor = page.next_cursor
    }
    expect(seen).toEqual(all)
    const { next_cursor } = await service.client.call('listBenchmarks', { query: { limit: 4 } })
    const error = await service.client.refusal('listBenchmarks', { query: { q: 'a', cursor: next_cursor ?? '' } })
    expect(error).toMatchObject({ status: 422, code: 'invalid_cursor' })
  })

  test('describes a bundled benchmark with its page, profiles and their metrics', async () => {
    const detail = await service.client.call('getBenchmark', { params: { slug: 'arithmetic-word-problems' } })
    expect(detail).toMatchObject({
      origin: 'bundled',
      provider: 'assay',
      license: { name: 'MIT' },
      recipe: null,
      latest_version: { source_ref: 'eval://assay/arithmetic-word-problems/1.0.0-seed20261101', task_counts: { test: 270 } },
    })
    expect(detail.known_limits.length).toBeGreaterThan(2)
    expect(detail.profiles.map(({ id, shots }) => [id, shots])).toEqual([
      ['arithmetic-word-problems@1.0.0-seed20261101:zero-shot', 0],
      ['arithmetic-word-problems@1.0.0-seed20261101:3-shot', 3],
    ])
    for (const { metrics } of detail.profiles)
      expect(metrics.map(metric => [metric.scorer, metric.primary])).toEqual([
        ['lm_eval/gsm8k_flexible', true],
        ['lm_eval/gsm8k_strict', false],
      ])
  })

  test('describes a recipe with its files before there are data, and refuses to quote it', async () => {
    const detail = await service.client.call('getBenchmark', { params: { slug: 'gsm8k' } })
    expect(detail).toMatchObject({
      origin: 'recipe',
      latest_version: null,
      versions: [],
      profile_ids: ['gsm8k:zero-shot', 'gsm8k:5-shot', 'gsm8k:answer-line'],
    })
    expect(detail.recipe?.files.map(({ role, required, file_name }) => [role, required, file_name])).toEqual([
      ['test', true, 'test.jsonl'],
      ['train', false, 'train.jsonl'],
    ])
    const error = await service.client.refusal('createQuote', {
      body: {
        model: { kind: 'managed', route_id: 'assay/random' },
        selection: { profile_ids: ['gsm8k:zero-shot'] },
        coverage: { mode: 'full' },
        max_charge_microusd: '0',
      },
    })
    expect(error).toMatchObject({ status: 422, code: 'task_unavailable' })
    expect(error.message).toContain('import it with the recipe "gsm8k"')
  })

  test('does not know an unknown slug', async () => {
    expect(await service.client.refusal('getBenchmark', { params: { slug: 'nothing' } })).toMatchObject({ status: 404, code: 'not_found' })
  })
})

describe('tasks', () => {
  const source = 'eval://assay/arithmetic-word-problems/1.0.0-seed20261101'

  test('lists safe metadata by offset and resolves the alias', async () => {
    const first = await service.client.call('listTasks', {
      query: { source_ref: 'arithmetic-word-problems@1.0.0-seed20261101', limit: 100 },
    })
    expect(first).toMatchObject({ source_ref: source, total: 270, limit: 100, offset: 0, next_offset: 100 })
    const last = await service.client.call('listTasks', { query: { source_ref: source, limit: 100, offset: 200 } })
    expect(last.items).toHaveLength(70)
    expect(last.next_offset).toBeNull()
    expect(last.items[0]).toMatchObject({ task_id: 'awp-0201', position: 200, split: 'test', choices: null, depends_on: [] })
    const beyond = await service.client.call('listTasks', { query: { source_ref: source, offset: 1000 } })
    expect(beyond).toMatchObject({ items: [], total: 270, next_offset: null })
  })

  test('gives no task away', async () => {
    const { items } = await service.client.call('listTasks', { query: { source_ref: source, limit: 1000 } })
    for (const { preview, input_characters } of items) {
      expect(preview.length).toBeLessThanOrEqual(120)
      expect(preview.length).toBeLessThanOrEqual(input_characters / 2)
    }
  })

  test('searches ids and previews and filters by split', async () => {
    const found = await service.client.call('listTasks', { query: { source_ref: source, q: 'AWP-0007' } })
    expect(found.items.map(item => item.task_id)).toEqual(['awp-0007'])
    expect((await service.client.call('listTasks', { query: { source_ref: source, split: 'canonical' } })).total).toBe(0)
  })

  test('are searched as samples are: words in any order, phrases, exclusions and exact text', async () => {
    const all = (await service.client.call('listTasks', { query: { source_ref: source, limit: 1000 } })).items
    const search = async (q: string, match?: 'exact') =>
      (await service.client.call('listTasks', { query: { source_ref: source, limit: 1000, q, match } })).items.map(item => item.task_id)
    const [, second = '', third = ''] = /([a-z]{3,}) ([a-z]{3,})/i.exec(all[6]?.preview ?? '') ?? []
    expect(await search(`${third} awp-0007 ${second.toUpperCase()}`)).toEqual(['awp-0007'])
    expect(await search(`"${second} ${third}" awp-0007`)).toEqual(['awp-0007'])
    expect(await search(`"${third} ${second}" awp-0007`)).toEqual([])
    expect(await search('awp -"awp 0007"')).toEqual(all.map(item => item.task_id).filter(id => id !== 'awp-0007'))
    expect(await search('AWP-0007', 'exact')).toEqual([])
    expect(await search('awp-0007', 'exact')).toEqual(['awp-0007'])
    const page = await service.client.call('listTasks', { query: { source_ref: source, q: 'awp', limit: 100, offset: 200 } })
    expect(page).toMatchObject({ total: 270, next_offset: null, items: { length: 70 } })
  })

  test.each([
    'eval://assay/arithmetic-word-problems/9',
    'eval://other/arithmetic-word-problems/1.0.0-seed20261101',
    'arithmetic-word-problems@9',
    'abc',
  ])('does not know the source %s', async sourceRef => {
    expect(await service.client.refusal('listTasks', { query: { source_ref: sourceRef } })).toMatchObject({
      status: 404,
      code: 'not_found',
    })
  })
})

describe('models and options', () => {
  test('lists the baselines, marked as no models, and filters them', async () => {
    const { items } = await service.client.call('listModels', { query: {} })
    expect(items.map(item => item.route_id)).toContain('assay/random')
    expect(items.every(item => !item.is_model && item.kind === 'baseline')).toBe(true)
    const oracles = await service.client.call('listModels', { query: { q: 'oracle' } })
    expect(oracles.items.map(item => item.route_id)).toEqual(['assay/oracle-50', 'assay/oracle-75', 'assay/oracle-90'])
    expect((await service.client.call('listModels', { query: { provider: 'nobody' } })).items).toEqual([])
    expect((await service.client.call('listModels', { query: { benchmark: 'arithmetic-word-problems' } })).items).toHaveLength(items.length)
    expect((await service.client.call('listModels', { query: { benchmark: 'nothing' } })).items).toEqual([])
  })

  test('says what this machine offers', async () => {
    const options = await service.client.call('getExecutionOptions', {})
    expect(options.scoring_workers).toBeGreaterThanOrEqual(1)
    expect(options.cache.available).toBe(true)
  })
})

test('a restart keeps what was imported and adds nothing', async () => {
  const { source_ref } = await importToEnd(service, {
    fields: { recipe: 'gsm8k' },
    files: [{ name: 'test.jsonl', content: gsm8kLines(12) }],
  })
  const before = await service.client.call('listBenchmarks', { query: { limit: 100 } })
  await service.restart()
  // Until it is known again whether code can run here.
  await expect.poll(() => service.client.call('listBenchmarks', { query: { limit: 100 } })).toEqual(before)
  expect((await service.client.call('listTasks', { query: { source_ref: source_ref ?? '' } })).total).toBe(12)
})
