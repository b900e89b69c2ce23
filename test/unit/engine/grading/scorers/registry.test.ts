import { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { codeScorers } from '../../../../../src/engine/grading/scorers/code/code-scorers.ts'
import { ScorerConfigError } from '../../../../../src/engine/grading/scorers/config-error.ts'
import { defineScorer } from '../../../../../src/engine/grading/scorers/define-scorer.ts'
import { gradeOne, prepareScorer, scorerById, scorers } from '../../../../../src/engine/grading/scorers/registry.ts'
import { graded, judged } from '../../../../../src/engine/grading/scorers/verdict.ts'

describe('the registry', () => {
  test('has every family, each id once and with what a list shows', () => {
    const families = new Set(Array.from(scorers.keys(), id => id.slice(0, id.indexOf('/'))))
    expect([...families].sort((a, b) => a.localeCompare(b))).toEqual([
      'assay',
      'autoevals',
      'bbh',
      'bfcl',
      'evalplus',
      'evaluate',
      'helm',
      'hendrycks_math',
      'ifbench',
      'ifeval',
      'inspect_ai',
      'livecodebench',
      'lm_eval',
      'lmms_eval',
      'mathvista',
      'mmmu',
      'ocrbench',
      'openai_evals',
      'pope',
      'promptfoo',
      'rouge_score',
      'sacrebleu',
      'screenspot',
      'simple_evals',
      'spreadsheetbench',
      'vqa',
    ])
    for (const [id, scorer] of scorers) {
      expect(scorer.id).toBe(id)
      expect(id).toMatch(/^[a-z_]+\/[A-Za-z0-9_-]+$/)
      expect(scorer.version).toBeGreaterThan(0)
      expect(scorer.title.length * scorer.description.length).toBeGreaterThan(0)
    }
  })

  test.each([
    ['inspect_ai', 'match includes pattern answer choice exact f1 math'],
    ['lm_eval', 'exact_match gsm8k_strict gsm8k_flexible multiple_choice drop loglikelihood'],
    ['ifeval', 'strict loose'],
    ['ifbench', 'strict loose'],
    ['evalplus', 'check_output base plus'],
    ['livecodebench', 'stdio_compare call_compare test_output_prediction all_tests'],
    ['spreadsheetbench', 'cell_compare hard soft'],
    ['spider', 'execution'],
    ['bird', 'execution'],
    ['simple_evals', 'mcq mgsm drop'],
    ['openai_evals', 'Match Includes FuzzyMatch JsonMatch JsonValidator'],
    ['helm', 'exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match final_number_exact_match bleu_1 bleu_4 f1_score'],
    ['hendrycks_math', 'is_equiv'],
    ['autoevals', 'ExactMatch Levenshtein NumericDiff ListContains JSONDiff ValidJSON'],
    [
      'promptfoo',
      'equals contains icontains contains-any contains-all starts-with regex is-json contains-json levenshtein word-count bleu gleu tool-call-f1',
    ],
  ])('has what is named of %s, with options that a form can show: %s', (family, names) => {
    const all = new Map<string, { description: string; options: z.ZodType }>([...scorers, ...codeScorers])
    for (const name of names.split(' ')) {
      const scorer = all.get(`${family}/${name}`)
      expect(scorer?.description.length, name).toBeGreaterThan(10)
      expect(z.toJSONSchema(scorer?.options ?? z.never(), { io: 'input', unrepresentable: 'any' })).toHaveProperty('type', 'object')
    }
  })

  test('names the closest ids for one that does not exist', () => {
    expect(() => scorerById('lm_eval/gsm8k-strict')).toThrow(/no scorer "lm_eval\/gsm8k-strict".*lm_eval\/gsm8k_strict/)
    expect(() => gradeOne({ scorer: 'x' }, { output: '', targets: [] })).toThrow(ScorerConfigError)
  })

  test('refuses options that the scorer does not have', () => {
    expect(() => prepareScorer({ scorer: 'assay/exact_match', options: { ignorecase: true } })).toThrow(
      /Correct the options of assay\/exact_match:.*ignorecase/,
    )
    expect(() => prepareScorer({ scorer: 'assay/exact_match', options: { extraction: { pattern: '(' } } })).toThrow(/pattern "\("/)
    expect(() => prepareScorer({ scorer: 'assay/exact_match', options: { extraction: { pattern: 'a', group: 2 } } })).toThrow(
      /group 2 does not exist/,
    )
  })

  test('counts an output that breaks its scorer as wrong, with the reason', () => {
    const score = gradeOne({ scorer: 'assay/rouge_l' }, { output: 'word '.repeat(6000), targets: ['word'] })
    expect(score).toMatchObject({ value: 0, class: 'wrong', answer: null })
    expect(score.explanation).toContain('5000 words')
  })

  const long = 'xy'.repeat(60_000)
  const nested = '['.repeat(30_000) + ']'.repeat(30_000)
  const items = JSON.stringify(Array.from({ length: 900 }, (_, i) => `item ${i}`))
  test.each([
    ['assay/rouge_l', 'word '.repeat(6000), 'word'],
    ['assay/edit_distance', long.toUpperCase(), long],
    ['autoevals/Levenshtein', long.toUpperCase(), long],
    ['autoevals/JSONDiff', nested, '[1]'],
    ['autoevals/ListContains', items, '["item"]'],
    ['promptfoo/levenshtein', long.toUpperCase(), long],
    ['promptfoo/not-levenshtein', long.toUpperCase(), long],
    ['promptfoo/tool-call-f1', nested, '[1]'],
  ])('has a raised version since %s calls outputs wrong that were unscored', (scorer, output, target) => {
    expect(gradeOne({ scorer }, { output, targets: [target] }).class).toBe('wrong')
    expect(scorerById(scorer).version).toBeGreaterThan(1)
  })

  test('leaves an output unscored when its scorer fails for any output', () => {
    const score = gradeOne({ scorer: 'assay/rouge_l' }, { output: 'word', targets: ['word '.repeat(6000)] })
    expect(score).toMatchObject({ value: null, class: 'unscored', answer: null })
  })

  test('prepares options once and scores many outputs', () => {
    let prepared = 0
    const scorer = defineScorer({
      id: 'test/count',
      version: 1,
      title: 'Count',
      description: 'For this test.',
      options: z.strictObject({}),
      prepare: () => {
        prepared++
        return ({ output }) => judged(output === 'a', { answer: output, explanation: '' })
      },
    })
    const score = scorer.prepare?.({})
    expect([score?.({ output: 'a', targets: [] }).value, score?.({ output: 'b', targets: [] }).value, prepared]).toEqual([1, 0, 1])
    expect(scorer.score({ output: 'a', targets: [] }, {}).class).toBe('correct')
  })

  test('calls a value that is no number unscored', () => {
    expect(graded(Number.NaN, { answer: 'x', explanation: '' })).toMatchObject({ value: null, class: 'unscored', answer: 'x' })
    expect([graded(0.5, { answer: null, explanation: '' }).class, graded(0, { answer: null, explanation: '' }).class]).toEqual([
      'partial',
      'wrong',
    ])
  })
})
