import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importAnswers } from '../support/answers.ts'
import { compileCpuMs, heavySchema } from '../support/heavy-schema.ts'
import { profileId } from '../support/runs.ts'
import { longestTurnCpuMs } from '../support/longest-turn.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { importToEnd, upload } from './imports-upload.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const rows = [
  { part: 'dev', text: 'T0', question: 'One plus one?', answer: '2', passage: 'a', day: '2024-01-05' },
  { part: 'dev', text: 'T0', question: 'One plus two?', answer: '3', passage: 'a', day: '2024-01-06' },
  ...Array.from({ length: 8 }, (_, i) => ({
    part: 'test',
    text: `T${i}`,
    question: `${i} plus 1?`,
    answer: String(i + 1),
    passage: i < 4 ? 'a' : 'b',
    day: i < 4 ? '2024-02' : '2024-06-30T12:00:00Z',
  })),
  { part: 'train', text: 'T9', question: '9 plus 1?', answer: '10', passage: 'c', day: '2024-07-01' },
]
const content = rows.map(row => JSON.stringify(row)).join('\n')
const own = (name: string, mapping: object, profile: object, more: Record<string, string> = {}) =>
  importToEnd(service, {
    fields: { format: 'jsonl', name, mapping: JSON.stringify(mapping), profile: JSON.stringify(profile), ...more },
    files: [{ name: 'data.jsonl', content }],
  })
const split = { column: 'part', tasks: ['test'], examples: ['dev'] }

describe('choices of an import', () => {
  test('set split, few-shot examples, prompt and scorers, and preview the prompt as it is sent', async () => {
    const record = await own(
      'Sums with context',
      { split },
      {
        prompt_template: 'Context: {text}\nQ: {question}\nA:',
        system_prompt: 'Answer briefly.',
        shots: 2,
        shot_template: 'Q: {question}\nA: {answer}\n\n',
        metrics: [
          { scorer: 'inspect_ai/includes' },
          { scorer: 'assay/exact_match', options: { ignore_case: true }, primary: true, title: 'Same answer' },
        ],
      },
    )
    expect(record).toMatchObject({
      status: 'imported',
      rows: { read: 10, valid: 10, examples: 2 },
      splits: [
        { value: 'dev', rows: 2 },
        { value: 'test', rows: 8 },
        { value: 'train', rows: 1 },
      ],
    })
    expect(record.preview[0]).toMatchObject({
      input: '0 plus 1?\nT0',
      prompt: 'Answer briefly.\n\nQ: One plus one?\nA: 2\n\nQ: One plus two?\nA: 3\n\nContext: T0\nQ: 0 plus 1?\nA:',
    })
    const { latest_version: version, profiles } = await service.client.call('getBenchmark', { params: { slug: 'sums-with-context' } })
    expect(version?.task_counts).toEqual({ test: 8 })
    expect(profiles[0]).toMatchObject({
      id: expect.stringMatching(/:2-shot$/),
      shots: 2,
      system_prompt: 'Answer briefly.',
      metrics: [
        { id: 'includes', scorer: 'inspect_ai/includes', primary: false, binary: true },
        { id: 'exact_match', title: 'Same answer', options: { ignore_case: true }, primary: true },
      ],
    })
  })

  test('make another version where only the prompt differs', async () => {
    const first = await own('Twice', {}, { prompt_template: 'Q: {input}' })
    const second = await own('Twice', {}, { prompt_template: 'Question: {input}' })
    expect([first.already_present, second.already_present]).toEqual([false, false])
    expect(second.source_ref).not.toBe(first.source_ref)
    expect(await own('Twice', {}, { prompt_template: 'Q: {input}' })).toMatchObject({ already_present: true, source_ref: first.source_ref })
  })

  test('take the first rows as examples where no split names any', async () => {
    const record = await own('First rows', {}, { shots: 3 })
    expect(record.preview).toHaveLength(8)
    expect(record.preview[0]?.prompt).toBe('One plus one?\n2\n\nOne plus two?\n3\n\n0 plus 1?\n1\n\n1 plus 1?')
  })

  test('cluster standard errors by a column, for a run by itself and for comparisons', async () => {
    await own('In passages', { split, cluster: 'passage', id: 'question' }, {})
    const profile_id = await profileId(service.client, 'in-passages', 'zero-shot')
    const outputs = (right: (i: number) => boolean) =>
      Array.from({ length: 8 }, (_, i) => JSON.stringify({ task_id: `${i} plus 1?`, output: right(i) ? String(i + 1) : 'no' })).join('\n')
    const imports = [
      await importAnswers(service, { profile_id, model: 'a' }, [{ name: 'a.jsonl', content: outputs(i => i < 4 || i === 7) }]),
      await importAnswers(service, { profile_id, model: 'b' }, [{ name: 'b.jsonl', content: outputs(i => i % 2 === 0) }]),
    ]
    const run_ids = imports.map(({ runs }) => runs[0]?.run_id ?? '')
    const { metrics, breakdowns } = await service.client.call('getRunResults', { params: { run_id: run_ids[0] ?? '' } })
    // Sums of the residuals of the clusters: 1.5 and -1.5; CR1 = sqrt(1.5² + 1.5²) / 8 · sqrt(2 / 1).
    expect(metrics[0]?.estimate).toMatchObject({ mean: 0.625, n: 8, interval: { method: 'wilson_cr1' } })
    expect(metrics[0]?.estimate.standard_error).toBeCloseTo(0.375, 10)
    expect(metrics[0]?.estimate.cautions.join(' ')).toContain('2 clusters')
    expect(breakdowns.filter(({ dimension }) => dimension === 'cluster')).toEqual([])
    const { differences } = await service.client.call('createComparison', {
      body: { name: 'Clustered', run_ids, baseline_id: run_ids[0] ?? '' },
    })
    expect(differences[0]).toMatchObject({ clustered_by: 'cluster', clusters: 2 })
  })

  test.each<readonly [string, object, object, string]>([
    ['the reference answer in the prompt', {}, { prompt_template: 'Q: {question} ({answer})' }, 'names the reference answer ({answer})'],
    ['a prompt without any column', {}, { prompt_template: 'Hello' }, 'names no column'],
    ['a split value that no row has', { split: { column: 'part', tasks: ['tests'] } }, {}, 'No row has "tests" in the column "part"'],
    ['a split column that is not there', { split: { column: 'fold' } }, {}, 'There is no column "fold" for split'],
    ['a date that is none', { date: 'text' }, {}, 'The date "T0" in "text" must begin like 2024-05-31'],
  ])('are refused with %s', async (_, mapping, profile, message) => {
    const record = await own('Refused', mapping, profile)
    expect(record.status).toBe('failed')
    expect(record.errors[0]?.message).toContain(message)
  })

  test('of a schema that takes long to compile hold up no other request', async () => {
    const profile = { metrics: [{ scorer: 'assay/json_schema', options: { schema: heavySchema() } }] }
    const longest = await longestTurnCpuMs(async () => {
      // On a busy machine the thread that compiles it is ended by its deadline, which refuses the import.
      await own('Long schema', {}, profile).catch((error: unknown) => expect(String(error)).toContain('took longer than'))
    })
    expect(longest).toBeLessThan((await compileCpuMs()) / 2)
  })

  test('of a template out of proportion are previewed by the reason, and a quote refuses them before anything is rendered', async () => {
    const asked = { question: 'x'.repeat(500), answer: '1' }
    const record = await importToEnd(service, {
      fields: {
        format: 'jsonl',
        name: 'Out of proportion',
        profile: JSON.stringify({ prompt_template: '{question}'.repeat(1_000) }),
      },
      files: [{ name: 'data.jsonl', content: JSON.stringify(asked) }],
    })
    const refusal = 'the template holds {input} 1,000 times. Use it at most 8 times.'
    expect(record).toMatchObject({ status: 'imported', preview: [{ prompt: expect.stringContaining(refusal) }] })
    const { profiles } = await service.client.call('getBenchmark', { params: { slug: record.slug ?? '' } })
    const refused = await service.client.refusal('createQuote', {
      body: {
        model: { kind: 'managed', route_id: 'assay/echo' },
        selection: { profile_ids: [profiles[0]?.id ?? ''] },
        coverage: { mode: 'full' },
        max_charge_microusd: '0',
      },
    })
    expect(refused).toMatchObject({ status: 422, code: 'validation_error', message: expect.stringContaining(refusal) })
  })

  test.each<readonly [object, string, string]>([
    [{ metrics: [{ scorer: 'assay/exact' }] }, 'jsonl', 'There is no scorer'],
    [{ metrics: [{ scorer: 'assay/pattern', options: { pattern: '(' } }] }, 'jsonl', 'close the \\"(\\"'],
    [
      {
        metrics: [
          { scorer: 'assay/f1', primary: true },
          { scorer: 'assay/bleu', primary: true },
        ],
      },
      'jsonl',
      'only one metric can be primary',
    ],
    [{ shots: 1 }, 'inspect_jsonl', 'is for plain tables'],
  ])('are refused at once: %j', async (profile, format, message) => {
    const reply = await upload(service, {
      fields: { format, name: 'No', profile: JSON.stringify(profile) },
      files: [{ name: 'data.jsonl', content }],
    })
    expect(reply.status).toBe(422)
    expect(await reply.text()).toContain(message)
  })

  test('warn of a placeholder that is no column', async () => {
    const record = await own('Odd', {}, { prompt_template: '{input} {x}' }, { dry_run: 'true' })
    expect(record.warnings).toContain('No column is called {x}; it is sent unchanged.')
    expect(record.preview[0]?.prompt).toBe('One plus one? {x}')
  })
})

describe('dated tasks', () => {
  test('are compared within a window of dates, and broken down by month', async () => {
    await own('Dated sums', { split, date: 'day', groups: ['passage'], id: 'question' }, {})
    const profile_id = await profileId(service.client, 'dated-sums', 'zero-shot')
    const outputs = (right: (i: number) => boolean) =>
      Array.from({ length: 8 }, (_, i) => JSON.stringify({ task_id: `${i} plus 1?`, output: right(i) ? String(i + 1) : 'no' })).join('\n')
    const imports = [
      await importAnswers(service, { profile_id, model: 'a' }, [{ name: 'a.jsonl', content: outputs(i => i < 4) }]),
      await importAnswers(service, { profile_id, model: 'b' }, [{ name: 'b.jsonl', content: outputs(i => i !== 0) }]),
    ]
    const run_ids = imports.map(({ runs }) => runs[0]?.run_id ?? '')
    const { breakdowns, macro_means, metrics } = await service.client.call('getRunResults', { params: { run_id: run_ids[1] ?? '' } })
    expect(breakdowns.map(({ dimension, value, estimate }) => [dimension, value, estimate.mean])).toEqual([
      ['month', '2024-02', 0.75],
      ['month', '2024-06', 1],
      ['passage', 'a', 0.75],
      ['passage', 'b', 1],
    ])
    const inFebruary = { breakdown: 'month', breakdown_value: '2024-02' }
    const { items } = await service.client.call('listSamples', { params: { run_id: run_ids[1] ?? '' }, query: inFebruary })
    expect(items.map(({ task_id, passed }) => [task_id, passed])).toEqual([0, 1, 2, 3].map(i => [`${i} plus 1?`, i !== 0]))
    expect(macro_means).toMatchObject([{ dimension: 'passage', groups: 2, mean: 0.875, interval: { method: 'mover' } }])
    // scipy: stats.beta(1 + 7, 1 + 1).ppf([.025, .975])
    expect(metrics[0]?.posterior?.low).toBeCloseTo(0.5175034850826628, 8)
    expect(metrics[0]?.posterior?.high).toBeCloseTo(0.9718550265221019, 8)

    const compare = (options: object) =>
      service.client.call('createComparison', { body: { name: 'Window', run_ids, baseline_id: run_ids[0] ?? '', options } })
    const whole = await compare({})
    expect(whole.differences[0]).toMatchObject({ n: 8, difference: 0.375, agreement: { observed: 0.375 } })
    expect(whole.differences[0]?.posterior?.probability_better).toBeCloseTo(0.890625, 8)
    // binomtest(4, 5, alternative='greater') and 'less'
    expect(whole.differences[0]?.one_sided?.p_better).toBeCloseTo(0.1875, 10)
    expect(whole.differences[0]?.one_sided?.p_worse).toBeCloseTo(0.96875, 10)
    const late = await compare({ dated_from: '2024-06-01' })
    expect(late.differences[0]).toMatchObject({ n: 4, difference: 1 })
    expect(late.options.dated_from).toBe('2024-06-01')
    const refusal = await service.client.refusal('createComparison', {
      body: { name: 'None', run_ids, baseline_id: run_ids[0] ?? '', options: { dated_from: '2025-01-01' } },
    })
    expect(refusal.message).toContain('No task dated from 2025-01-01 has a score in both')
    const report = await (await service.fetch(`/v1/comparisons/${late.id}/export?format=html`)).text()
    expect(report).toContain('from 2024-06-01')
    expect(report).toContain('P(better)')
  })
})
