import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ComparedTask, Comparison, TaskChange } from '../../src/contract/comparisons/comparisons.schemas.ts'
import type { QuoteRequest } from '../../src/contract/quotes/quotes.schemas.ts'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const tasks = 90
let service: TestService
let weak: string
let strong: string

interface RunOptions {
  readonly profile?: string
  readonly coverage?: QuoteRequest['coverage']
  readonly epochs?: number
  readonly name?: string
}

const sample = (count: number, seed = 1) => ({ mode: 'sample', sample_count: count, seed }) as const

/** A run of an oracle that is right so often. */
async function begun(
  percent: number,
  { profile = 'zero-shot', coverage = sample(tasks), epochs = 1, name = `oracle ${percent}` }: RunOptions = {},
): Promise<string> {
  const { client } = service
  const { id } = await quote(client, {
    model: { kind: 'managed', route_id: `assay/oracle-${percent}` },
    profiles: [await profileId(client, 'arithmetic-word-problems', profile)],
    coverage,
    execution: { epochs },
  })
  return (await submit(client, id, name)).id
}

async function ran(percent: number, wish: RunOptions = {}): Promise<string> {
  return (await runToEnd(service.client, service.baseUrl, await begun(percent, wish))).id
}

function compare(
  runIds: readonly string[],
  more: { seed?: number; options?: Partial<Comparison['options']>; name?: string } = {},
): Promise<Comparison> {
  const [baseline = ''] = runIds
  const { name = 'a comparison', ...rest } = more
  return service.client.call('createComparison', { body: { name, run_ids: [...runIds], baseline_id: baseline, ...rest } })
}

async function everyTask(
  id: string,
  query: { change?: TaskChange; q?: string; capability?: string; breakdown?: string; breakdown_value?: string } = {},
): Promise<ComparedTask[]> {
  const found: ComparedTask[] = []
  let cursor: string | undefined
  do {
    const page = await service.client.call('listComparedTasks', {
      params: { comparison_id: id },
      query: { limit: 37, ...query, ...(cursor ? { cursor } : {}) },
    })
    found.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return found
}

async function passedTasks(runId: string): Promise<Map<string, boolean | null>> {
  const { items } = await service.client.call('listSamples', { params: { run_id: runId }, query: { limit: 100 } })
  return new Map(items.map(sample => [sample.task_id, sample.passed]))
}

beforeAll(async () => {
  service = await startTestService()
  weak = await ran(50)
  strong = await ran(90)
})
afterAll(() => service.close())

describe('a comparison of two runs', () => {
  test('measures the paired difference on their common tasks', async () => {
    const comparison = await compare([weak, strong])
    const [a, b] = [await passedTasks(weak), await passedTasks(strong)]
    const count = (ofWeak: boolean, ofStrong: boolean) =>
      [...a].filter(([id, passed]) => passed === ofWeak && b.get(id) === ofStrong).length
    const headline = comparison.differences.find(difference => difference.headline)
    expect(headline).toMatchObject({
      n: tasks,
      contender_id: strong,
      primary: true,
      test: 'mcnemar_exact',
      verdict: 'better',
      clustered_by: null,
    })
    expect(headline?.passes).toEqual({
      both: count(true, true),
      neither: count(false, false),
      only_baseline: count(true, false),
      only_contender: count(false, true),
    })
    expect(headline?.wins).toBe(count(false, true))
    expect(headline?.difference).toBeCloseTo((count(false, true) - count(true, false)) / tasks, 12)
    expect(headline?.interval?.method).toBe('tango')
    expect(headline?.interval?.low).toBeGreaterThan(0)
    expect(headline?.minimum_detectable_difference).toBeGreaterThan(0)
    expect(headline?.p_adjusted).toBeGreaterThanOrEqual(headline?.p ?? 1)
    expect(comparison.headline).toMatch(
      /^Simulated model \(90 %\) is better than Simulated model \(50 %\) by \d+\.\d points, 95 % interval \d+\.\d to \d+\.\d, on 90 common tasks; a difference under \d+\.\d points would be missed more than one time in five\.$/,
    )
    expect(comparison.tasks).toEqual({ total: tasks, common: tasks })
    expect(comparison.checks.filter(check => check.status === 'pass').map(check => check.check)).toEqual(
      expect.arrayContaining(['benchmark_version', 'task_content', 'prompt', 'scorer', 'generation', 'epochs', 'outcome']),
    )
    const cautions = comparison.cautions.map(caution => caution.code)
    expect(cautions).toEqual(expect.arrayContaining(['model', 'few_tasks']))
    // One of the two differences is tested: the other has its p beside "not tested".
    expect(comparison.differences.filter(({ tested }) => tested)).toHaveLength(1)
    expect(cautions).not.toContain('many_tests')
    expect(new Set(comparison.breakdowns.map(part => part.dimension))).toEqual(new Set(['steps', 'topic']))
    expect(comparison.breakdowns.filter(part => part.dimension === 'steps').reduce((sum, part) => sum + part.n, 0)).toBe(tasks)
    expect(comparison.trade_off.find(run => run.run_id === strong)?.quality.mean).toBeCloseTo(headline?.contender_mean ?? 0, 12)
  })

  test('lists each task with both outcomes, and filters by outcome', async () => {
    const { id, differences } = await compare([weak, strong])
    const all = await everyTask(id)
    expect(all).toHaveLength(tasks)
    expect(new Set(all.map(task => task.task_id)).size).toBe(tasks)
    const passes = differences.find(difference => difference.headline)?.passes
    for (const [change, n] of [
      ['gained', passes?.only_contender],
      ['lost', passes?.only_baseline],
      ['both_passed', passes?.both],
      ['both_failed', passes?.neither],
      ['not_compared', 0],
    ] as const) {
      const found = await everyTask(id, { change })
      expect({ change, n: found.length }).toEqual({ change, n })
      expect(found.every(task => task.changes[0]?.change === change)).toBe(true)
    }
    const [first] = all
    const sample = await service.client.call('getSample', { params: { run_id: strong, sample_id: first?.outcomes[1]?.sample_id ?? '' } })
    expect(sample.task_id).toBe(first?.task_id)
    expect((await everyTask(id, { q: first?.task_id.toUpperCase() ?? '' })).map(task => task.task_id)).toEqual([first?.task_id])
    expect(await everyTask(id, { capability: 'arithmetic' })).toHaveLength(tasks)
    expect(await everyTask(id, { capability: 'no such thing' })).toEqual([])
    const { breakdowns } = await service.client.call('getComparison', { params: { comparison_id: id } })
    const [{ dimension, value, n } = { dimension: '', value: '', n: 0 }] = breakdowns
    expect(n).toBeGreaterThan(0)
    expect(await everyTask(id, { breakdown: dimension, breakdown_value: value })).toHaveLength(n)
    const page = await service.client.call('listComparedTasks', { params: { comparison_id: id }, query: { limit: 1 } })
    expect(
      await service.client.refusal('listComparedTasks', {
        params: { comparison_id: id },
        query: { cursor: page.next_cursor ?? '', change: 'lost' },
      }),
    ).toMatchObject({ status: 422, code: 'invalid_cursor' })
    expect(
      await service.client.refusal('listComparedTasks', { params: { comparison_id: id }, query: { contender_id: weak } }),
    ).toMatchObject({ status: 422 })
  })

  test('gives the same figures for the same runs and seed, and mirrors them when the baseline is the other', async () => {
    const once = await compare([weak, strong], { seed: 7 })
    const again = await compare([weak, strong], { seed: 7, name: 'another name' })
    expect(again.id).not.toBe(once.id)
    expect(again.digest).toBe(once.digest)
    expect((await compare([weak, strong], { options: { level: 0.9 } })).digest).not.toBe(once.digest)
    const mirrored = await compare([strong, weak])
    expect(mirrored.differences[0]?.difference).toBeCloseTo(-(once.differences[0]?.difference ?? 0), 12)
    expect(mirrored.differences[0]).toMatchObject({ p: once.differences[0]?.p, wins: once.differences[0]?.losses, verdict: 'worse' })
    expect(mirrored.headline).toContain('Simulated model (50 %) is worse than Simulated model (90 %) by')
    expect(await service.client.call('getComparison', { params: { comparison_id: once.id } })).toEqual(once)
  })

  test('is exported whole, the same bytes each time', async () => {
    const { id, headline } = await compare([weak, strong], { name: 'Weak & <strong>' })
    for (const [format, type] of [
      ['json', 'application/json'],
      ['csv', 'text/csv'],
      ['html', 'text/html'],
    ] as const) {
      const reply = await service.fetch(`/v1/comparisons/${id}/export?format=${format}`)
      expect(reply.headers.get('content-type')).toContain(type)
      expect(reply.headers.get('content-disposition')).toContain(`weak-strong.${format}`)
      const body = await reply.text()
      expect(await (await service.fetch(`/v1/comparisons/${id}/export?format=${format}`)).text()).toBe(body)
      if (format === 'json') expect(JSON.parse(body).tasks).toHaveLength(tasks)
      if (format === 'csv') expect(body.trimEnd().split('\r\n')).toHaveLength(tasks + 1)
      if (format !== 'html') continue
      expect(body).toContain(headline)
      expect(body).toContain('Weak &amp; &lt;strong&gt;')
      expect(body).not.toContain('<script')
    }
  })
})

describe('comparisons of what is not quite alike', () => {
  test('of different samples compare the common tasks and say so', async () => {
    const half = await ran(75, { coverage: sample(tasks / 2) })
    const { differences, cautions, tasks: counted } = await compare([weak, half])
    expect(differences.find(difference => difference.headline)?.n).toBe(tasks / 2)
    expect(counted).toEqual({ total: tasks, common: tasks / 2 })
    expect(cautions.find(caution => caution.code === 'different_coverage')?.message).toContain(
      '45 tasks are common to the baseline (90) and',
    )
  })

  test('of several epochs count each task once', async () => {
    const repeated = await ran(75, { epochs: 3 })
    const again = await ran(60, { epochs: 3 })
    const { differences, cautions } = await compare([repeated, again])
    const headline = differences.find(difference => difference.headline)
    expect(headline).toMatchObject({ n: tasks, passes: null, test: 'paired_t' })
    expect(headline?.interval?.method).toBe('bootstrap_bca')
    const mixed = await compare([weak, repeated])
    expect(mixed.differences.find(difference => difference.headline)).toMatchObject({ n: tasks, test: 'mcnemar_exact' })
    expect(mixed.cautions.map(caution => caution.code)).toContain('epochs')
    expect(cautions.map(caution => caution.code)).not.toContain('epochs')
  })

  test('of three runs are all made with the one baseline and adjusted together', async () => {
    const middle = await ran(75)
    const comparison = await compare([weak, middle, strong])
    expect(comparison.verdicts.map(verdict => verdict.contender_id)).toEqual([middle, strong])
    expect(comparison.runs.map(run => run.baseline)).toEqual([true, false, false])
    const tested = comparison.differences.filter(difference => difference.tested)
    expect(tested).toHaveLength(2)
    const least = tested.reduce((a, b) => ((a.p ?? 1) < (b.p ?? 1) ? a : b))
    expect(least.p_adjusted).toBeCloseTo(Math.min(1, (least.p ?? 1) * tested.length), 12)
    expect(comparison.headline).toMatch(/^Of 2 contenders, \d (is|are) better than Simulated model \(50 %\) and 0 are worse/)
    const [task] = await everyTask(comparison.id)
    expect(task?.outcomes.map(outcome => outcome.run_id)).toEqual([weak, middle, strong])
    expect(task?.changes.map(change => change.contender_id)).toEqual([middle, strong])
  })

  test('under two prompts are refused for two models, unless that is accepted', async () => {
    const otherPrompt = await ran(90, { profile: '3-shot' })
    const body = { name: 'prompts', run_ids: [weak, otherPrompt], baseline_id: weak }
    const refused = await service.client.refusal('createComparison', { body })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error' })
    expect(refused.detail).toEqual([
      { loc: ['body', 'run_ids', 1], msg: expect.stringContaining('The prompts differ'), type: 'not_comparable.prompt' },
    ])
    const accepted = await service.client.call('createComparison', { body: { ...body, options: { accept_different_prompts: true } } })
    expect(accepted.cautions.map(caution => caution.code)).toContain('prompt')
    const sameModel = await ran(50, { profile: '3-shot', name: 'three examples' })
    const { runs, cautions } = await compare([weak, sameModel])
    expect(cautions.map(caution => caution.code)).toContain('prompt')
    expect(runs.map(run => run.label)).toEqual(['oracle 50', 'three examples'])
  })

  test('of other benchmarks, other tasks and unfinished runs are refused by name', async () => {
    const { client, baseUrl } = service
    const { id } = await quote(client, {
      model: { kind: 'managed', route_id: 'assay/echo' },
      profiles: [await profileId(client, 'instruction-following', 'zero-shot')],
      coverage: sample(5),
    })
    const elsewhere = (await runToEnd(client, baseUrl, (await submit(client, id, 'another benchmark')).id)).id
    const other = await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak, elsewhere], baseline_id: weak } })
    expect(other.detail[0]).toMatchObject({
      type: 'not_comparable.benchmark_version',
      msg: expect.stringContaining('eval://assay/instruction-following/'),
    })
    const disjoint = await ran(75, { coverage: sample(1, 4) })
    const single = await ran(75, { coverage: sample(1, 9) })
    const nothing = await client.refusal('createComparison', { body: { name: 'x', run_ids: [disjoint, single], baseline_id: single } })
    expect(nothing.detail[0]).toMatchObject({ loc: ['body', 'run_ids', 0], type: 'not_comparable.coverage' })
    const unfinished = await begun(75, { coverage: { mode: 'full' }, epochs: 20, name: 'a long one' })
    const early = await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak, unfinished], baseline_id: weak } })
    expect(early).toMatchObject({ status: 409, code: 'result_not_ready', message: expect.stringContaining('"a long one"') })
    await client.call('cancelRun', { params: { run_id: unfinished } })
    await runToEnd(client, baseUrl, unfinished)
    expect(
      await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak, randomUUID()], baseline_id: weak } }),
    ).toMatchObject({ status: 404, code: 'not_found' })
    expect(await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak, weak], baseline_id: weak } })).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
    expect(
      await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak, strong], baseline_id: elsewhere } }),
    ).toMatchObject({ status: 422, code: 'validation_error' })
    expect(await client.refusal('createComparison', { body: { name: 'x', run_ids: [weak], baseline_id: weak } })).toMatchObject({
      status: 422,
      code: 'validation_error',
    })
  })
})

test('comparisons are listed newest first, by page, run and words', async () => {
  const { client } = service
  const made = [await compare([weak, strong], { name: 'Alpha' }), await compare([strong, weak], { name: 'Beta' })]
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await client.call('listComparisons', { query: { limit: 1, ...(cursor ? { cursor } : {}) } })
    seen.push(...page.items.map(item => item.id))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.slice(0, 2)).toEqual(made.map(comparison => comparison.id).reverse())
  const named = await client.call('listComparisons', { query: { q: 'ALPHA' } })
  expect(named.items.map(item => item.name)).toEqual(['Alpha'])
  expect(named.items[0]?.headline).toBe(made[0]?.headline)
  const unrelated = await client.call('listComparisons', { query: { run_id: randomUUID() } })
  expect(unrelated.items).toEqual([])
  const holding = await client.call('listComparisons', { query: { run_id: strong, limit: 100 } })
  expect(holding.items.map(item => item.id)).toContain(made[1]?.id)
})
