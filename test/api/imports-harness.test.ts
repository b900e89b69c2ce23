import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { profileId, quote, runToEnd, submit } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const lines = (...rows: object[]) => rows.map(row => JSON.stringify(row)).join('\n')
const send = (name: string, ...files: { name: string; content: string }[]) =>
  importToEnd(service, { fields: { format: 'lm_eval_yaml', name }, files })

async function results(slug: string, profile: string, route_id = 'assay/oracle-100') {
  const { id } = await quote(service.client, {
    model: { kind: 'managed', route_id },
    profiles: [await profileId(service.client, slug, profile)],
  })
  const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, id)).id)
  return { run, found: await service.client.call('getRunResults', { params: { run_id: run.id } }) }
}

describe('a group of lm-evaluation-harness', () => {
  test('runs as one set and reports every task and their mean', async () => {
    const template = 'test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n'
    const record = await send(
      'Harness group',
      {
        name: 'group.yaml',
        content: 'group: sums\ntask: [easy, hard]\naggregate_metric_list: [{metric: exact_match, weight_by_size: false}]\n',
      },
      { name: 'easy.yaml', content: `task: easy\n${template}` },
      { name: 'hard.yaml', content: `task: hard\n${template}` },
      { name: 'easy_test.jsonl', content: lines({ q: '1+1', a: '2' }, { q: '1+2', a: '3' }, { q: '1+3', a: '4' }) },
      { name: 'hard_test.jsonl', content: lines({ q: '99+1', a: '100' }) },
    )
    expect(record).toMatchObject({ status: 'imported', error_count: 0, rows: { valid: 4 } })
    const { found } = await results('harness-group', 'zero-shot')
    expect(found.metrics[0]).toMatchObject({ metric: 'exact_match', estimate: { n: 4, mean: 1 } })
    expect(found.breakdowns.map(({ dimension, value, estimate }) => [dimension, value, estimate.n])).toEqual([
      ['subtask', 'easy', 3],
      ['subtask', 'hard', 1],
    ])
    expect(found.macro_means).toMatchObject([{ dimension: 'subtask', groups: 2, mean: 1 }])
  })
})

describe('a group whose tasks are graded in two ways', () => {
  test('runs by profiles that ask their own tasks alone', async () => {
    const template = 'test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\n'
    const { slug, error_count } = await send(
      'Two ways',
      { name: 'group.yaml', content: 'group: ways\ntask: [short, long]\n' },
      { name: 'short.yaml', content: `task: short\n${template}` },
      { name: 'long.yaml', content: `task: long\n${template}metric_list: [{metric: rougeL}]\n` },
      { name: 'short_test.jsonl', content: lines({ q: '1+1', a: '2' }, { q: '1+2', a: '3' }, { q: '1+3', a: '4' }) },
      { name: 'long_test.jsonl', content: lines({ q: 'Say it', a: 'it is said' }) },
    )
    expect(error_count).toBe(0)
    const { profiles, latest_version: version } = await service.client.call('getBenchmark', { params: { slug: slug ?? '' } })
    expect(profiles.map(({ title, task_count: tasks }) => [title, tasks])).toEqual([
      ['Zero-shot: short', 3],
      ['Zero-shot: long', 1],
    ])
    const asked = await quote(service.client, {
      model: { kind: 'managed', route_id: 'assay/oracle-100' },
      profiles: profiles.map(({ id }) => id),
    })
    expect(asked.profiles.map(({ tasks_available, tasks_selected }) => [tasks_available, tasks_selected])).toEqual([
      [3, 3],
      [1, 1],
    ])
    expect(asked.coverage.full_benchmark).toBe(true)
    const [first] = profiles
    const part = await quote(service.client, { model: { kind: 'managed', route_id: 'assay/oracle-100' }, profiles: [first?.id ?? ''] })
    expect(part.coverage.full_benchmark).toBe(false)
    const run = await runToEnd(service.client, service.baseUrl, (await submit(service.client, asked.id)).id)
    const { metrics } = await service.client.call('getRunResults', { params: { run_id: run.id } })
    expect(metrics.map(({ metric, estimate }) => [metric, estimate.n, estimate.mean])).toEqual([
      ['exact_match', 3, 1],
      ['rougeL', 1, 1],
    ])
    const exact = (task_ids: string[]) => ({
      body: {
        model: { kind: 'managed' as const, route_id: 'assay/oracle-100' },
        max_charge_microusd: '0',
        task_selections: [{ source_ref: version?.source_ref ?? '', split: 'test' as const, task_ids }],
      },
    })
    const long = await service.client.call('quoteEvaluation', exact(['long/doc-0']))
    expect(long.profiles.map(({ title }) => title)).toEqual(['Zero-shot: long'])
    expect(await service.client.refusal('quoteEvaluation', exact(['short/doc-0', 'long/doc-0']))).toMatchObject({
      message: expect.stringContaining('has no runnable profile that asks all of these tasks'),
    })
  })
})

describe('metrics of all tasks together', () => {
  const task =
    'test_split: test\ndoc_to_text: "{{q}}"\ndoc_to_target: "{{a}}"\nmetric_list: [{metric: bleu}, {metric: chrf}, {metric: ter}]\n'

  const figures = (found: Awaited<ReturnType<typeof results>>['found']) =>
    found.metrics.map(({ metric, estimate }) => [metric, estimate.mean, estimate.interval?.method])

  async function regraded(run_id: string, metrics: { profile_id: string; metric: string; scorer: string }[]) {
    await service.client.call('regradeRun', { params: { run_id }, body: { metrics } })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id } })).regrade).toBeNull()
    return service.client.call('getRunResults', { params: { run_id } })
  }

  test('are corpus BLEU, chrF and TER with an interval by bootstrap', async () => {
    const rows = ['the dog bit the man', 'nobody was surprised at that', 'the man had bitten the dog'].map(a => ({ q: a, a }))
    await send('Harness translation', { name: 'task.yaml', content: task }, { name: 'test.jsonl', content: lines(...rows) })
    const { found } = await results('harness-translation', 'zero-shot')
    expect(
      found.metrics.map(({ metric, estimate, posterior, worst_case, chance_level }) => [
        metric,
        estimate.n,
        estimate.mean,
        estimate.interval?.method,
        posterior,
        worst_case,
        chance_level,
      ]),
    ).toEqual(['bleu', 'chrf', 'ter'].map(metric => [metric, 3, 1, 'bootstrap', undefined, null, null]))
    expect(found.metrics[0]?.estimate.cautions).toEqual([
      expect.stringMatching(/Only 3 independent values/),
      expect.stringContaining('not certainty'),
    ])
    const echoed = await results('harness-translation', 'zero-shot', 'assay/echo')
    for (const path of ['export?format=html', 'export?format=csv', 'exports/markdown', 'exports/lm_eval']) {
      const reply = await service.fetch(`/v1/runs/${echoed.run.id}/${path}`)
      expect([path, reply.status]).toEqual([path, 200])
      expect(await reply.text()).toMatch(/BLEU|bleu/)
    }
    // Each text is its own question, so the baseline that repeats its question is right as well.
    expect(echoed.found.metrics[0]?.estimate.mean).toBe(1)
  })

  test('stay so when a run is regraded, and give way to a mean where another scorer takes their place', async () => {
    const { run, found } = await results('harness-translation', 'zero-shot', 'assay/random')
    expect(found.metrics[0]?.estimate.mean).toBeLessThan(1)
    expect(figures(await regraded(run.id, []))).toEqual(figures(found))
    const [first] = found.metrics
    const changed = await regraded(run.id, [{ profile_id: first?.profile_id ?? '', metric: 'bleu', scorer: 'rouge_score/rouge' }])
    expect(changed.metrics[0]).toMatchObject({ metric: 'bleu', scorer: 'rouge_score/rouge', estimate: { interval: { method: 't' } } })
    expect(figures(changed).slice(1)).toEqual(figures(found).slice(1))
    const back = await regraded(run.id, [{ profile_id: first?.profile_id ?? '', metric: 'bleu', scorer: 'sacrebleu/bleu' }])
    expect(figures(back)).toEqual(figures(found))
  })

  test('are so for scorers that a person chooses for a table, too', async () => {
    const record = await importToEnd(service, {
      fields: {
        format: 'jsonl',
        name: 'Chosen translation',
        profile: JSON.stringify({ metrics: [{ scorer: 'sacrebleu/chrf', options: { word_order: 2 } }] }),
      },
      files: [{ name: 'x.jsonl', content: lines({ input: 'a b c d e f', target: 'a b c d e f' }, { input: 'x', target: 'y z' }) }],
    })
    expect(record.status).toBe('imported')
    const { found } = await results('chosen-translation', 'zero-shot')
    expect(found.metrics[0]).toMatchObject({ scorer: 'sacrebleu/chrf', estimate: { n: 2, mean: 1, interval: { method: 'bootstrap' } } })
  })

  test('are what a comparison compares, with the interval of a paired bootstrap', async () => {
    const runs = [await results('harness-translation', 'zero-shot'), await results('harness-translation', 'zero-shot', 'assay/random')]
    const compared = await service.client.call('createComparison', {
      body: { name: 'translations', run_ids: runs.map(({ run }) => run.id), baseline_id: runs[0]?.run.id ?? '' },
    })
    const means = runs.map(({ found }) => found.metrics.map(({ estimate }) => estimate.mean))
    expect(compared.differences.map(({ metric, baseline_mean, contender_mean }) => [metric, baseline_mean, contender_mean])).toEqual(
      ['bleu', 'chrf', 'ter'].map((metric, i) => [metric, means[0]?.[i], means[1]?.[i]]),
    )
    expect(compared.differences[0]).toMatchObject({ interval: null, reason: expect.stringContaining('Every resample') })
    expect(compared.differences[1]).toMatchObject({ test: 'paired_bootstrap', interval: { method: 'paired_bootstrap' } })
    expect(compared.trade_off.map(({ quality }) => quality.mean)).toEqual(means.map(([bleu]) => bleu))
  })
})

describe('a measured continuation', () => {
  test('is right where the reference answer is what the model would have said', async () => {
    const content = [
      'output_type: loglikelihood',
      'test_split: test',
      "doc_to_text: \"{{text.split(' ')[:-1]|join(' ')}}\"",
      "doc_to_target: \"{{' '+text.split(' ')[-1]}}\"",
      'metric_list: [{metric: perplexity}, {metric: acc}]',
    ].join('\n')
    await send(
      'Harness last word',
      { name: 'task.yaml', content },
      { name: 'test.jsonl', content: lines({ text: 'he said hello' }, { text: 'she said goodbye' }) },
    )
    const { found } = await results('harness-last-word', 'zero-shot')
    expect(found.metrics).toMatchObject([{ metric: 'perplexity' }, { metric: 'acc', estimate: { n: 2, mean: 1 } }])
    // A chat connection has no likelihoods, which is said before anything is sent.
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: 'harness-last-word' } })
    expect(profiles[0]?.requires).toEqual(['loglikelihood'])
  })
})
