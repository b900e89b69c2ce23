import { existsSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importAnswers } from '../support/answers.ts'
import { importFiles } from '../support/imports.ts'
import { profileId } from '../support/runs.ts'
import { startTestService, type TestService } from '../support/service.ts'

const o1Mini = new URL('../../../shared/data/livecodebench/O1-Mini-2024-09-12_N1_eval_all.json.gz', import.meta.url)

const logs = new URL('../../../shared/data/logs/', import.meta.url)

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const lines = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).join('\n')
const results = (id: string) => service.client.call('getRunResults', { params: { run_id: id } })
const problems = (labels: readonly (readonly boolean[])[]) =>
  JSON.stringify(
    labels.map((graded, i) => ({
      question_title: `Problem ${i}`,
      question_content: `Print ${i}.`,
      platform: i % 2 === 0 ? 'atcoder' : 'leetcode',
      question_id: `p${i}`,
      contest_id: 'c',
      contest_date: `2024-0${1 + (i % 9)}-01T00:00:00`,
      starter_code: '',
      difficulty: i < 4 ? 'easy' : 'hard',
      output_list: graded.map((_, epoch) => `\`\`\`python\nprint(${i}, ${epoch})\n\`\`\``),
      code_list: graded.map((_, epoch) => `print(${i}, ${epoch})`),
      graded_list: graded,
      metadata: graded.map(() => '{}'),
    })),
  )
const passing = (right: number, epochs = 1) =>
  problems(Array.from({ length: 8 }, (_, i) => Array.from({ length: epochs }, () => i < right)))

describe('published results of LiveCodeBench', () => {
  test('become runs of one version, whose tasks hold no answers, so that models compare', async () => {
    const first = await importAnswers(service, {}, [{ name: 'Model-A_N1_eval_all.json', content: passing(6) }])
    expect(first).toMatchObject({
      status: 'imported',
      format: 'livecodebench_results',
      models: [{ model: 'Model-A_N1', outputs: 8 }],
      benchmarks: [{ slug: 'livecodebench-recorded-answers', tasks: 8, already_present: false }],
    })
    const second = await importAnswers(service, { model: 'B' }, [
      { name: 'Scenario.codegeneration_2_0.2_eval_all.json', content: passing(3, 2) },
    ])
    expect(second.benchmarks).toEqual([{ ...first.benchmarks[0], already_present: true }])
    const ids = [first, second].map(({ runs }) => runs[0]?.run_id ?? '')
    const figures = await Promise.all(ids.map(async id => (await results(id)).metrics[0]?.estimate))
    expect(figures.map(figure => [figure?.mean, figure?.n])).toEqual([
      [0.75, 8],
      [0.375, 8],
    ])
    const comparison = await service.client.call('createComparison', { body: { name: 'Both', run_ids: ids, baseline_id: ids[0] ?? '' } })
    expect(comparison.differences.map(({ metric, n, difference }) => [metric, n, difference])).toEqual([['recorded_pass', 8, -0.375]])
    const { items } = await service.client.call('listTasks', { query: { source_ref: first.benchmarks[0]?.source_ref ?? '' } })
    expect(JSON.stringify(items)).not.toContain('print(')
  })

  test('are two models where two files come together', async () => {
    const record = await importAnswers(service, { name: 'Together' }, [
      { name: 'A_eval_all.json', content: passing(8) },
      { name: 'B_eval_all.json', content: passing(1) },
    ])
    expect(record.runs.map(({ model }) => model)).toEqual(['A', 'B'])
  })

  test.each([
    ['labels of another number', problems([[true]]).replace('[true]', '[true,true]'), '"output_list" has 1 entries and "graded_list" 2'],
    ['no labels', problems([[true]]).replace('"graded_list":[true]', '"graded_list":null'), '"graded_list" a list of truth values'],
    ['no date', problems([[true]]).replace('"contest_date"', '"date"'), 'The field "contest_date" is missing.'],
    ['one problem twice', problems([[true], [true]]).replace('"p1"', '"p0"'), 'in other words than the file before it'],
  ])('are refused with %s', async (_, content, message) => {
    const record = await importAnswers(service, { format: 'livecodebench_results' }, [{ name: 'X_eval_all.json', content }])
    expect(record).toMatchObject({ status: 'failed', runs: [] })
    expect(record.errors[0]?.message).toContain(message)
  })

  test.skipIf(!existsSync(o1Mini))('of o1-mini keep their 880 labels (skipped where ../shared/data is absent)', async () => {
    const record = await importAnswers(service, { name: 'o1-mini' }, [
      { name: 'O1-Mini-2024-09-12_N1_eval_all.json.gz', content: new Uint8Array(readFileSync(o1Mini)) },
    ])
    expect(record).toMatchObject({ status: 'imported', tasks: { total: 880, answered: 880, missing: 0 } })
    const { metrics } = await results(record.runs[0]?.run_id ?? '')
    // Sum of "pass@1" over the file, by Python: 602 of 880.
    expect(metrics[0]?.estimate).toMatchObject({ n: 880 })
    expect(Math.round((metrics[0]?.estimate.mean ?? 0) * 880)).toBe(602)
  })
})

describe('a log of Inspect that a model graded', () => {
  const log = (model: string, values: readonly (string | number)[]) =>
    JSON.stringify({
      version: 2,
      status: 'success',
      eval: { task: 'guide', model, scorers: [{ name: 'model_graded_fact' }], packages: { inspect_ai: '0.3.133' } },
      samples: values.map((value, i) => ({
        id: i + 1,
        epoch: 1,
        input: `Question ${i}?`,
        target: 'A long reference.',
        output: { choices: [{ message: { role: 'assistant', content: `Answer ${i}` }, stop_reason: 'stop' }] },
        scores: { model_graded_fact: { value, explanation: `Because of ${i}.` } },
      })),
    })

  test('has the log’s verdicts as its headline, each with the judge’s words, also after a regrade', async () => {
    const record = await importAnswers(service, {}, [{ name: 'guide.json', content: log('one', ['C', 'C', 'I', 'C']) }])
    const id = record.runs[0]?.run_id ?? ''
    const figures = async () =>
      (await results(id)).metrics.map(({ metric, primary, estimate }) => [metric, primary, estimate.mean, estimate.n])
    expect(await figures()).toEqual([['recorded_model_graded_fact', true, 0.75, 4]])
    const { items } = await service.client.call('listSamples', { params: { run_id: id } })
    const sample = await service.client.call('getSample', { params: { run_id: id, sample_id: items[2]?.id ?? '' } })
    expect(JSON.stringify(sample)).toContain('0 on a scale from 0 to 1. Because of 2.')
    await service.client.call('regradeRun', { params: { run_id: id }, body: {} })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: id } })).result_version).toBe(2)
    expect(await figures()).toEqual([['recorded_model_graded_fact', true, 0.75, 4]])
  })

  test('of another model is of the same version and compares, also where its scores have parts of a point', async () => {
    const first = await importAnswers(service, {}, [{ name: 'guide.json', content: log('one', ['C', 'C', 'I', 'C']) }])
    const second = await importAnswers(service, {}, [{ name: 'guide.json', content: log('two', ['C', 'P', 'I', 'I']) }])
    expect(second.benchmarks[0]).toMatchObject({ already_present: true })
    const ids = [first, second].map(({ runs }) => runs[0]?.run_id ?? '')
    expect((await results(ids[1] ?? '')).metrics[0]?.estimate).toMatchObject({ mean: 0.375, n: 4 })
    const comparison = await service.client.call('createComparison', { body: { name: 'Both', run_ids: ids, baseline_id: ids[0] ?? '' } })
    expect(comparison.differences).toMatchObject([{ n: 4, difference: -0.375 }])
  })

  test.skipIf(!existsSync(logs)).each([
    ['inspect-security-guide.eval', 0.6875, 16],
    ['inspect-theory-of-mind.eval', 0.83, 100],
  ])('%s keeps its figure (skipped where ../shared/data is absent)', async (name, mean, n) => {
    const record = await importAnswers(service, {}, [{ name, content: new Uint8Array(readFileSync(new URL(name, logs))) }])
    expect(record.status).toBe('imported')
    expect((await results(record.runs[0]?.run_id ?? '')).metrics[0]).toMatchObject({
      metric: 'recorded_model_graded_fact',
      estimate: { mean, n },
    })
  })
})

describe('results of promptfoo with assertions that are not graded here', () => {
  test('have the log’s own verdict as their headline', async () => {
    const asserts = [
      { type: 'contains', value: 'Paris' },
      { type: 'llm-rubric', value: 'Is polite' },
    ]
    const results_ = [0, 1].map(testIdx => ({
      promptIdx: 0,
      testIdx,
      provider: { id: 'openai:x' },
      prompt: { raw: `Capital ${testIdx}?`, label: 'Capital' },
      response: { output: 'Paris' },
      success: false,
      score: 0.5,
      testCase: { vars: {}, assert: asserts },
      gradingResult: {
        reason: 'Not polite',
        componentResults: asserts.map((assertion, i) => ({ pass: i === 0, score: i === 0 ? 1 : 0, assertion })),
      },
    }))
    const content = JSON.stringify({ evalId: 'e', results: { version: 3, results: results_ }, config: { description: 'Polite' } })
    const record = await importAnswers(service, {}, [{ name: 'out.json', content }])
    const { metrics } = await results(record.runs[0]?.run_id ?? '')
    expect(metrics.map(({ metric, primary, estimate }) => [metric, primary, estimate.mean, estimate.n])).toEqual(
      expect.arrayContaining([
        ['recorded_success', true, 0, 2],
        ['recorded_score', false, 0.5, 2],
        ['pass', false, 1, 2],
      ]),
    )
  })
})

describe('a score column', () => {
  let profile = ''
  beforeAll(async () => {
    const tasks = Array.from({ length: 4 }, (_, i) => ({ id: `t${i}`, question: `What is ${i} plus 1?`, answer: String(i + 1) }))
    await importFiles(service, { format: 'jsonl', name: 'Plus one' }, [{ name: 'plus.jsonl', content: lines(tasks) }])
    profile = await profileId(service.client, 'plus-one', 'zero-shot')
  })
  const scored = (scores: readonly unknown[]) => [
    { name: 'outputs.jsonl', content: lines(scores.map((points, i) => ({ task_id: `t${i}`, output: String(i + 1), points }))) },
  ]
  const mapping = (more: object = {}) => JSON.stringify({ score: 'points', ...more })

  test('becomes a metric beside those that are graded here, rescaled from its range, and stays through a regrade', async () => {
    const record = await importAnswers(
      service,
      { profile_id: profile, model: 'm', mapping: mapping({ lowest_score: 1, highest_score: 5 }) },
      scored([1, 2, 5, 4]),
    )
    const id = record.runs[0]?.run_id ?? ''
    const figures = async () => (await results(id)).metrics.map(({ metric, estimate }) => [metric, estimate.mean, estimate.n])
    expect(await figures()).toEqual(expect.arrayContaining([['recorded_score', 0.5, 4]]))
    const before = await figures()
    await service.client.call('regradeRun', { params: { run_id: id }, body: {} })
    await expect.poll(async () => (await service.client.call('getRun', { params: { run_id: id } })).result_version).toBe(2)
    expect(await figures()).toEqual(before)
  })

  test('beside others makes a metric of each, with its own range', async () => {
    const rows = [0, 1, 2, 3].map(i => ({ task_id: `t${i}`, output: String(i + 1), loose: i > 0 ? 1 : 0, strict: i > 2, stars: i + 1 }))
    const scores = [{ column: 'strict', binary: true }, { column: 'loose' }, { column: 'stars', lowest: 1, highest: 5 }]
    const record = await importAnswers(service, { profile_id: profile, model: 'c', mapping: JSON.stringify({ scores }) }, [
      { name: 'outputs.jsonl', content: lines(rows) },
    ])
    const { metrics } = await results(record.runs[0]?.run_id ?? '')
    expect(metrics.map(({ metric, estimate }) => [metric, estimate.mean, estimate.interval?.method])).toEqual(
      expect.arrayContaining([
        ['recorded_strict', 0.25, 'wilson'],
        ['recorded_loose', 0.75, 't'],
        ['recorded_stars', 0.375, 't'],
      ]),
    )
  })

  test('that a profile is named after is taken without a word, beside one that is mapped', async () => {
    const metrics = [{ scorer: 'assay/recorded_score', options: { name: 'loose', binary: true } }]
    const tasks = [0, 1, 2].map(i => ({ id: `t${i}`, question: `What is ${i}?`, answer: String(i) }))
    await importFiles(service, { format: 'jsonl', name: 'Named score', profile: JSON.stringify({ metrics }) }, [
      { name: 'named.jsonl', content: lines(tasks) },
    ])
    const rows = [0, 1, 2].map(i => ({ id: `t${i}`, output: 'x', loose: i === 1 ? 1 : 0, strict: 0 }))
    const fields = {
      profile_id: await profileId(service.client, 'named-score', 'zero-shot'),
      model: 'n',
      mapping: JSON.stringify({ score: 'strict', binary_score: true }),
    }
    const record = await importAnswers(service, fields, [{ name: 'outputs.jsonl', content: lines(rows) }])
    const found = (await results(record.runs[0]?.run_id ?? '')).metrics
    expect(
      found.map(({ metric, primary, estimate }) => [metric, primary, Math.round((estimate.mean ?? -1) * 3), estimate.interval?.method]),
    ).toEqual([
      ['recorded_score', true, 1, 'wilson'],
      ['recorded_score_2', false, 0, 'wilson'],
    ])
  })

  test('of right and wrong has the interval of a proportion', async () => {
    const record = await importAnswers(
      service,
      { profile_id: profile, model: 'b', mapping: mapping({ binary_score: true }) },
      scored([1, 0, true, null]),
    )
    const metric = (await results(record.runs[0]?.run_id ?? '')).metrics.find(one => one.metric === 'recorded_score')
    expect(metric).toMatchObject({ estimate: { n: 3, interval: { method: 'wilson' } } })
  })

  test.each([
    [{}, [7, 1, 1, 1], 'The score 7 is not between 0 and 1. State its range with "lowest_score" and "highest_score", or'],
    [{ binary_score: true }, [0.5, 1, 1, 1], 'The score 0.5 is neither 0 nor 1'],
    [{}, ['good', 1, 1, 1], 'The field "points" must be a number, not "good".'],
  ])('outside of its range is refused by its line: %j', async (range, scores, message) => {
    const record = await importAnswers(service, { profile_id: profile, mapping: mapping(range) }, scored(scores))
    expect(record).toMatchObject({ status: 'failed' })
    expect(record.errors[0]).toMatchObject({ line: 1, message: expect.stringContaining(message) })
  })
})
