import { describe, expect, test } from 'vitest'
import { checkVectors } from '../../../../../src/headless/vectors/scorers/check.ts'

const row = (scorer: string, output: unknown, expected: unknown, options = {}, target: unknown = null) => ({
  scorer,
  options,
  output,
  target,
  expected,
})

/** Worked out by hand from `lm_eval/api/metrics.py` of lm-evaluation-harness 0.4.13 (4e7e0d4), but where a line says otherwise. */
describe('an aggregation of lm-eval', () => {
  test.each([
    ['mean', [1, 0, 1, 1], 0.75],
    ['nanmean', [1, 'NaN', 0], 0.5],
    ['nanmean', ['NaN'], 'NaN'],
    ['median', [9, 1, 4, 2], 4],
    ['perplexity', [-Math.LN2, -3 * Math.LN2], 4],
    [
      'weighted_mean',
      [
        [1, 2],
        [3, 6],
      ],
      0.5,
    ],
    // exp(-(-8 ln 2 / 4)) and 8/4 bits.
    [
      'weighted_perplexity',
      [
        [-6 * Math.LN2, 3],
        [-2 * Math.LN2, 1],
      ],
      4,
    ],
    [
      'bits_per_byte',
      [
        [-6 * Math.LN2, 3],
        [-2 * Math.LN2, 1],
      ],
      2,
    ],
    // Two hits, one missed, one named wrongly: 2·2 / (3 + 3).
    [
      'f1',
      [
        [1, 1],
        [1, true],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      2 / 3,
    ],
    // (2·1 − 1·1) / √(3·3·2·2).
    [
      'matthews_corrcoef',
      [
        [1, 1],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      1 / 6,
    ],
    // (0.3² + 0.3²) and (0.4² + 0.4²).
    [
      'brier_score',
      [
        [0, [0.7, 0.3]],
        [1, [0.4, 0.6]],
      ],
      0.25,
    ],
    [
      'acc_all',
      [
        [1, { idx: { paragraph: 0, question: 0 }, label: 1 }],
        [1, { idx: { paragraph: 0, question: 0 }, label: 0 }],
        [0, { idx: { paragraph: 1, question: 0 }, label: 0 }],
      ],
      0.5,
    ],
    ['bleu', [['the cat sat on the mat', 'the cat sat on the mat']], 100],
    [
      'chrf',
      [
        ['abc', 'abc'],
        [['x', 'de'], 'de'],
      ],
      100,
    ],
    // One word of four replaced.
    ['ter', [['a b c d', 'a b c e']], 25],
    ['pop_stddev', [1, 3], 1],
    ['sample_stddev', [1, 3], Math.SQRT2],
    ['bypass', [], 999],
  ])('%s of %j is %j', (name, output, expected) => {
    for (const form of [`lm_eval/${name}`, `lm_eval/aggregation.${name}`]) {
      expect(checkVectors([row(form, output, expected)]).failures).toEqual([])
      expect(checkVectors([row(form, output, -7)]).passed).toBe(0)
    }
  })

  test('of a group weighs tasks by their sizes, or not', () => {
    const of = (expected: number, weight_by_size: boolean) =>
      row('lm_eval/aggregate_subtask_metrics', [1, 0], expected, { sizes: [3, 1], weight_by_size })
    expect(checkVectors([of(0.75, true), of(0.5, false)]).failures).toEqual([])
  })

  test('of a group adds what its tasks are apart to their errors', () => {
    // √((9·0.01 + 9·0.01) / 19 + 100 / (20·19) · 0.25²): the score is the running mean, 0.25 from the second task's.
    const expected = Math.sqrt((9 * 0.01 + 9 * 0.01) / 19 + (100 / 380) * 0.25 ** 2)
    expect(checkVectors([row('lm_eval/combined_sample_stderr', [0.1, 0.1], expected, { sizes: [10, 10], metrics: [1, 0.5] })]).passed).toBe(
      1,
    )
  })
})

describe('a filter of lm-eval', () => {
  test('take_first gives each document’s first response, and no list of it', () => {
    expect(checkVectors([row('lm_eval/filter.take_first', [['a', 'b'], ['c']], ['a', 'c'])]).failures).toEqual([])
  })

  test('take_first_k needs that many responses', () => {
    expect(checkVectors([row('lm_eval/filter.take_first_k', [['a']], 'error: AssertionError', { k: 2 })]).failures).toEqual([])
  })
})

describe('vectors', () => {
  test.each([
    ['helm/prefix_exact_match', 'Yes, Elmendorf', 'Yes ', 1],
    ['helm/prefix_exact_match', 'yes', 'Yes', 0],
    ['helm/prefix_exact_match', '', '', 0],
    // Of NLTK's sentence_bleu: three of four words, and as long as the reference; then e^(1 − 4/2) for two words.
    ['helm/bleu_1', 'the cat sat down', 'the cat sat up', 0.75],
    ['helm/bleu_1', 'the cat', 'the cat sat up', Math.exp(-1)],
    ['helm/bleu_1', '', 'the cat', 0],
    ['helm/quasi_exact_match', 'us', 'U.S.', true],
    ['assay/exact_match', 'a', 'a', 1],
  ])('name any registered scorer: %s of %j against %j is %j', (scorer, output, target, expected) => {
    expect(checkVectors([row(scorer, output, expected, {}, target)]).failures).toEqual([])
  })

  test('name any instruction of IFEval', () => {
    const kwargs = { key_sentences: ['I like tea.', 'So do you.'], num_sentences: 1 }
    const of = (output: string, expected: boolean) => row('ifeval/keywords:key_sentences', output, expected, kwargs)
    expect(
      checkVectors([of('I like tea. He does not.', true), of('I like tea. So do you.', false), of('I like tea!', false)]).failures,
    ).toEqual([])
  })
})
