import { describe, expect, test } from 'vitest'
import { readFiguresAlone } from '../../../../src/engine/importing/answers/figures-alone.ts'

const file = (name: string, content: string) => ({ name, folder: '', bytes: Buffer.from(content) })
const figures = (value: unknown, name = 'results_2026.json') =>
  readFiguresAlone([file(name, JSON.stringify(value))], 'named')?.figures ?? null

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

  test('that are all not finite are refused by name', () => {
    const all = '{"results": {"sums": {"acc,none": NaN, "acc_stderr,none": NaN, "alias": "sums"}}, "configs": {}}'
    expect(() => readFiguresAlone([file('results_1.json', all)], undefined)).toThrow(
      'The results hold no figure that is a finite number. Left out, because they are not finite: sums acc.',
    )
  })

  test('of releases before filters are read likewise, and what is not finite is left out by name', () => {
    const old =
      '{"results": {"lambada": {"acc": 0.5, "acc_stderr": 0.01, "ppl": NaN, "loss": 1e999, "loss_stderr": -1}}, "versions": {"lambada": 0}, "config": {"model_args": "dtype=auto,pretrained=org/old"}}'
    expect(readFiguresAlone([file('pythia.json', old)], 'named')).toEqual({
      figures: [{ model: 'org/old', task: 'lambada', metric: 'acc', value: 0.5, standard_error: 0.01, n: null }],
      warnings: [expect.any(String), 'Left out, because they are not finite: lambada ppl, lambada loss.'],
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
  ])('are none with %s', (_, value) => {
    expect(figures(value)).toBeNull()
  })

  test('of lighteval are read likewise, whose metrics have no filters', () => {
    const results = {
      config_general: { lighteval_sha: '?', model_name: 'org/y' },
      results: {
        'lighteval|aime24|0': { 'pass@k:k=1,n=4': 0.25, 'pass@k:k=1,n=4_stderr': 0.05 },
        all: { 'pass@k:k=1,n=4': 0.25 },
      },
      versions: { 'lighteval|aime24|0': 2 },
      config_tasks: { 'lighteval|aime24|0': { original_num_docs: 30, effective_num_docs: 30 }, all: { effective_num_docs: -1 } },
    }
    const found = readFiguresAlone([file('results_1.json', JSON.stringify(results))], undefined)
    expect(found?.figures).toEqual([
      { model: 'org/y', task: 'lighteval|aime24|0', metric: 'pass@k:k=1,n=4', value: 0.25, standard_error: 0.05, n: 30 },
      { model: 'org/y', task: 'all', metric: 'pass@k:k=1,n=4', value: 0.25, standard_error: null, n: null },
    ])
    expect(found?.warnings).toEqual([expect.stringMatching(/without samples.*lighteval with --save-details/)])
  })

  test('are read only where every file is of them, and bounded', () => {
    const one = file('results_1.json', '{"results": {"a": {"acc,none": 1}}, "configs": {}}')
    expect(readFiguresAlone([one, file('samples_a.jsonl', '{"doc_id": 0}')], undefined)).toBeNull()
    expect(readFiguresAlone([one, one], undefined)?.figures).toHaveLength(2)
    const many = Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`acc${i}`, 1]))
    expect(() => figures({ results: { a: many }, configs: {} })).toThrow('At most 5000 figures')
  })
})
