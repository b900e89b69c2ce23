import { describe, expect, test } from 'vitest'
import { aggregateCounts } from '../../../../../src/engine/grading/scorers/aggregate-counts.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import { sacrebleuSignature, unsplitCautions } from '../../../../../src/engine/grading/scorers/sacrebleu/signature.ts'

const texts: Readonly<Record<string, readonly (readonly [output: string, reference: string])[]>> = {
  zh: [
    ['国务院总理李克强在会上发表了讲话。', '国务院总理李克强在会议上讲话。'],
    ['他买了3.5公斤苹果,花了20元(人民币)。', '他花20元人民币买了3.5公斤的苹果。'],
  ],
  ja: [['私は昨日、東京へ行きました。', '昨日、私は東京に行きました。']],
  en: [
    ['The price is $3,000.50 — really?', 'The price was $3,000.50, really?'],
    ['It cost 1990.', 'It costs 1990.'],
    ['the Dog bit THE man', 'The dog bit the man.'],
  ],
  ru: [['Он сказал: «Привет!» и ушёл.', 'Он сказал «привет» и ушёл.']],
}

function countsOf(scorer: string, options: Record<string, unknown>, language: string): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [output, reference] of texts[language] ?? [])
    for (const [name, count] of Object.entries(gradeOne({ scorer, options }, { output, targets: [reference] }).counts ?? {}))
      sums[name] = (sums[name] ?? 0) + count
  return sums
}

// Figures and signatures of sacrebleu 2.6.0 for these texts, by corpus_score and get_signature.
describe('BLEU equals sacrebleu', () => {
  test.each([
    ['zh', { tokenize: '13a' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    ['zh', { tokenize: 'zh' }, 48.397308, 'nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0'],
    ['zh', { tokenize: 'intl' }, 7.056996, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'],
    ['zh', { tokenize: 'char' }, 52.21668, 'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|version:2.6.0'],
    ['zh', { tokenize: 'none' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2.6.0'],
    ['ja', { tokenize: '13a' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    ['ja', { tokenize: 'zh' }, 29.502344, 'nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0'],
    ['ja', { tokenize: 'intl' }, 18.995892, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'],
    ['ja', { tokenize: 'char' }, 51.988579, 'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|version:2.6.0'],
    ['ja', { tokenize: 'none' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2.6.0'],
    ['en', { tokenize: '13a' }, 12.266656, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    ['en', { tokenize: '13a', smooth_method: 'floor' }, 6.52377, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.10]|version:2.6.0'],
    [
      'en',
      { tokenize: '13a', smooth_method: 'floor', smooth_value: 0.01 },
      2.062997,
      'nrefs:1|case:mixed|eff:no|tok:13a|smooth:floor[0.01]|version:2.6.0',
    ],
    ['en', { tokenize: '13a', smooth_method: 'add-k' }, 20.370425, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[1.00]|version:2.6.0'],
    ['en', { tokenize: '13a', smooth_method: 'none' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:none|version:2.6.0'],
    ['en', { tokenize: '13a', lowercase: true }, 39.905309, 'nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    ['en', { tokenize: 'zh' }, 12.187714, 'nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0'],
    ['en', { tokenize: 'intl' }, 12.187714, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'],
    ['en', { tokenize: 'intl', smooth_method: 'floor' }, 6.481787, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:floor[0.10]|version:2.6.0'],
    [
      'en',
      { tokenize: 'intl', smooth_method: 'floor', smooth_value: 0.01 },
      2.049721,
      'nrefs:1|case:mixed|eff:no|tok:intl|smooth:floor[0.01]|version:2.6.0',
    ],
    ['en', { tokenize: 'intl', smooth_method: 'add-k' }, 20.419123, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:add-k[1.00]|version:2.6.0'],
    ['en', { tokenize: 'intl', smooth_method: 'none' }, 0.0, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:none|version:2.6.0'],
    ['en', { tokenize: 'intl', lowercase: true }, 41.339423, 'nrefs:1|case:lc|eff:no|tok:intl|smooth:exp|version:2.6.0'],
    ['en', { tokenize: 'char' }, 66.384553, 'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|version:2.6.0'],
    ['en', { tokenize: 'none' }, 10.917089, 'nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2.6.0'],
    ['ru', { tokenize: '13a' }, 22.316181, 'nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0'],
    ['ru', { tokenize: 'zh' }, 22.316181, 'nrefs:1|case:mixed|eff:no|tok:zh|smooth:exp|version:2.6.0'],
    ['ru', { tokenize: 'intl' }, 32.466792, 'nrefs:1|case:mixed|eff:no|tok:intl|smooth:exp|version:2.6.0'],
    ['ru', { tokenize: 'char' }, 68.139975, 'nrefs:1|case:mixed|eff:no|tok:char|smooth:exp|version:2.6.0'],
    ['ru', { tokenize: 'none' }, 23.64354, 'nrefs:1|case:mixed|eff:no|tok:none|smooth:exp|version:2.6.0'],
  ])('for %s with %o', (language, options, figure, signature) => {
    const sums = countsOf('sacrebleu/bleu', options, language)
    expect((aggregateCounts({ aggregation: 'bleu', options }, sums) ?? 0) * 100).toBeCloseTo(figure, 5)
    expect(sacrebleuSignature({ scorer: 'sacrebleu/bleu', options }, sums)).toBe(signature)
  })

  test('refuses a tokenizer that needs a dictionary, and names one that does not', () => {
    const options = { tokenize: 'ja-mecab' }
    expect(() => gradeOne({ scorer: 'sacrebleu/bleu', options }, { output: '', targets: ['a'] })).toThrow(
      'is "ja-mecab", which needs a dictionary or a model that Assay does not have; use "char"',
    )
  })
})

describe('chrF equals sacrebleu', () => {
  test.each([
    ['zh', {}, 51.497917, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0'],
    ['zh', { word_order: 2 }, 44.141072, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0'],
    ['zh', { eps_smoothing: true }, 51.495418, 'nrefs:1|case:mixed|eff:no|nc:6|nw:0|space:no|version:2.6.0'],
    ['zh', { word_order: 2, eps_smoothing: true }, 38.621564, 'nrefs:1|case:mixed|eff:no|nc:6|nw:2|space:no|version:2.6.0'],
    ['zh', { lowercase: true }, 51.497917, 'nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no|version:2.6.0'],
    ['zh', { whitespace: true }, 51.497917, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:yes|version:2.6.0'],
    ['zh', { char_order: 4, beta: 1 }, 59.185287, 'nrefs:1|case:mixed|eff:yes|nc:4|nw:0|space:no|version:2.6.0'],
    ['en', {}, 56.632084, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0'],
    ['en', { word_order: 2 }, 52.510432, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0'],
    ['en', { eps_smoothing: true }, 56.631719, 'nrefs:1|case:mixed|eff:no|nc:6|nw:0|space:no|version:2.6.0'],
    ['en', { word_order: 2, eps_smoothing: true }, 52.505302, 'nrefs:1|case:mixed|eff:no|nc:6|nw:2|space:no|version:2.6.0'],
    ['en', { lowercase: true }, 73.699844, 'nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no|version:2.6.0'],
    ['en', { whitespace: true }, 62.996158, 'nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:yes|version:2.6.0'],
    ['en', { char_order: 4, beta: 1 }, 69.567401, 'nrefs:1|case:mixed|eff:yes|nc:4|nw:0|space:no|version:2.6.0'],
  ])('for %s with %o', (language, options, figure, signature) => {
    const sums = countsOf('sacrebleu/chrf', options, language)
    expect((aggregateCounts({ aggregation: 'chrf', options }, sums) ?? 0) * 100).toBeCloseTo(figure, 5)
    expect(sacrebleuSignature({ scorer: 'sacrebleu/chrf', options }, sums)).toBe(signature)
  })
})

test.each([
  ['zh', '13a', 1],
  ['zh', 'zh', 0],
  ['ja', 'zh', 1],
  ['ja', 'char', 0],
  ['ru', '13a', 0],
])('references in %s cut by %s bring %i cautions', (language, tokenize, cautions) => {
  const options = { tokenize }
  expect(unsplitCautions({ options }, countsOf('sacrebleu/bleu', options, language))).toHaveLength(cautions)
})
