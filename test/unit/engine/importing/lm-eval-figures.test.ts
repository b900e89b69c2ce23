import { describe, expect, test } from 'vitest'
import { readLmEvalFigures } from '../../../../src/engine/importing/answers/lm-eval-figures.ts'

const file = (name: string, content: string) => ({ name, folder: '', bytes: Buffer.from(content) })
const figures = (value: unknown, name = 'results_2026.json') =>
  readLmEvalFigures([file(name, JSON.stringify(value))], 'named')?.figures ?? null

describe('results of lm-evaluation-harness without samples', () => {
  test('give each metric with its filter, error and samples, under the model that they name', () => {
    const results = {
      results: {
        gsm8k: {
          alias: 'gsm8k',
          'exact_match,strict-match': 0.5,
          'exact_match_stderr,strict-match': 0.05,
          'exact_match,flexible-extract': 0.75,
          'exact_match_stderr,flexible-extract': 'N/A',
          sample_len: 100,
        },
        wikitext: { 'word_perplexity,none': 12.25, 'word_perplexity_stderr,none': 'N/A' },
      },
      'n-samples': { gsm8k: { original: 1319, effective: 100 } },
      configs: {},
      model_name: 'org/x',
    }
    expect(figures(results)).toEqual([
      { model: 'org/x', task: 'gsm8k', metric: 'exact_match, strict-match', value: 0.5, standard_error: 0.05, n: 100 },
      { model: 'org/x', task: 'gsm8k', metric: 'exact_match, flexible-extract', value: 0.75, standard_error: null, n: 100 },
      { model: 'org/x', task: 'wikitext', metric: 'word_perplexity', value: 12.25, standard_error: null, n: null },
    ])
  })

  test('of releases before filters are read likewise, and what is no finite number is left out by name', () => {
    const old =
      '{"results": {"lambada": {"acc": 0.5, "acc_stderr": 0.01, "ppl": NaN, "loss": 1e999, "loss_stderr": -1}}, "versions": {"lambada": 0}, "config": {"model_args": "dtype=auto,pretrained=org/old"}}'
    expect(readLmEvalFigures([file('pythia.json', old)], 'named')).toEqual({
      figures: [{ model: 'org/old', task: 'lambada', metric: 'acc', value: 0.5, standard_error: 0.01, n: null }],
      leftOut: ['lambada ppl', 'lambada loss'],
    })
  })

  test.each([
    ['-1', { a: { effective: -1 } }],
    ['a fraction', { a: { effective: 2.5 } }],
    ['a text', { a: 'all' }],
    ['a list', [1]],
  ])('are read with an unknown number of samples where it is %s', (_, samples) => {
    expect(figures({ results: { a: { acc: 1 } }, configs: {}, 'n-samples': samples })).toMatchObject([{ task: 'a', value: 1, n: null }])
  })

  test('have no standard error below 0 or without an end', () => {
    const errors = { 'a_stderr,none': -0.1, 'b_stderr,none': 'Infinity' }
    expect(figures({ results: { t: { 'a,none': 1, 'b,none': 1, ...errors } }, configs: {} })?.map(one => one.standard_error)).toEqual([
      null,
      null,
    ])
  })

  test.each([
    ['samples within', { results: { a: { 'acc,none': 1 } }, configs: {}, samples: { a: [{}] } }],
    ['no number', { results: { a: { alias: 'a' } }, configs: {} }],
    ['another shape', { results: [1], configs: {} }],
    ['what another tool writes', { eval: {}, results: { a: { acc: 1 } } }],
    ['what lighteval writes', { config_general: { lighteval_sha: 'x' }, results: { a: { acc: 1, acc_stderr: 0 } }, versions: {} }],
  ])('are none with %s', (_, value) => {
    expect(figures(value)).toBeNull()
  })

  test('are read only where every file is of them, and bounded', () => {
    const one = file('results_1.json', '{"results": {"a": {"acc,none": 1}}, "configs": {}}')
    expect(readLmEvalFigures([one, file('samples_a.jsonl', '{"doc_id": 0}')], undefined)).toBeNull()
    expect(readLmEvalFigures([one, one], undefined)?.figures).toHaveLength(2)
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`acc${i}`, 1]))
    expect(() => figures({ results: { a: many }, configs: {} })).toThrow('At most 5000 figures')
  })
})
