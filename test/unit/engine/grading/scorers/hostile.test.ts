import { describe, expect, test } from 'vitest'
import { prepareScorer, scorers } from '../../../../../src/engine/grading/scorers/registry.ts'
import { scoreBatch } from '../../../../../src/workers/score.worker.ts'
import { cpuMsOf, slowness } from '../../../../support/machine-speed.ts'

// What each scorer needs to run at all; the rest run on their defaults.
const options: Readonly<Record<string, unknown>> = {
  'assay/pattern': { pattern: '^(a+)+$' },
  'assay/json_schema': { schema: { type: 'object', properties: { a: { pattern: '^(a+)+$' } } } },
  'assay/json_path': { path: '$..a' },
  'assay/recorded_verdict': { field: 'judge' },
  'inspect_ai/pattern': { pattern: String.raw`^(\w+\s?)*$` },
}

const metadata = {
  loglikelihoods: [-1, -2],
  instruction_id_list: [
    'keywords:existence',
    'keywords:forbidden_words',
    'length_constraints:number_sentences',
    'detectable_format:number_bullet_lists',
    'detectable_content:number_placeholders',
    'detectable_format:title',
    'change_case:capital_word_frequency',
    'language:response_language',
  ],
  kwargs: [
    { keywords: ['(a+)+$', 'x'] },
    { forbidden_words: ['aa', 'a b'] },
    { num_sentences: 2, relation: 'at least' },
    { num_bullets: 1 },
    { num_placeholders: 1 },
    {},
    { capital_frequency: 1, capital_relation: 'at least' },
    { language: 'en' },
  ],
}

const naughty = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00\ud800',
  'a\ud800b',
  '\u202egnp.exe\u202c',
  '\u2066\u2067',
  '\ufeff',
  '\uffff',
  '😀🏳️‍🌈',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤',
  'ı İ ẞ ﬁ ς',
  '½ Ⅻ ³ 三 ①',
  '__proto__',
  '{"__proto__": {"a": 1}, "constructor": 1}',
  '[[[[[[',
  '"\\ud800"',
  '1e999999',
  '-0',
  '0x1p-1074',
  '${7*7}{{7*7}}<%= 7 %>',
  "'; DROP TABLE scores; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '\\boxed{\\boxed{',
  '$$$$',
  'ANSWER:',
  'answer: \u2028 a',
  '#### ',
  '```\n```',
  '\r\n\r\n',
  '%s%n%x',
  '=cmd|calc!A1',
]

const units = [
  'a',
  ' ',
  '\n',
  '(',
  '[',
  '{',
  '<<',
  '"',
  '*',
  '.)',
  '!',
  '\\',
  '#### ',
  'ANSWER: A ',
  '\\boxed{',
  '$',
  '|',
  '1',
  '-',
  '\ud800',
  '\u0000',
  '```\n',
  '½',
  '* x\n',
]

const takesNoValue = /^promptfoo\/(?:test|(?:not-)?(?:is|contains)-json)$/

function prepared(id: string): ReturnType<typeof prepareScorer> {
  return prepareScorer({
    scorer: id,
    options: options[id] ?? (takesNoValue.test(id) || !id.startsWith('promptfoo/') ? {} : { value: id.includes('word-count') ? 3 : 'a' }),
  })
}

const slow = slowness()

describe.each([...scorers.keys()])('%s', id => {
  test('gives a sound score for every naughty text, as output and as target', () => {
    const score = prepared(id)
    for (const output of naughty)
      for (const target of ['x', ...naughty]) {
        const {
          value,
          class: outcome,
          answer,
          answerSpan,
          explanation,
        } = score({ output, targets: [target], choices: ['x', output], metadata })
        expect(value === null).toBe(outcome === 'unscored')
        expect(value ?? 0).toBeGreaterThanOrEqual(0)
        expect(value ?? 0).toBeLessThanOrEqual(1)
        expect(explanation).not.toBe('')
        if (answerSpan)
          expect([answerSpan.start >= 0, answerSpan.start <= answerSpan.end, answerSpan.end <= output.length, answer !== null]).toEqual([
            true,
            true,
            true,
            true,
          ])
      }
  })
})

// A negation does the same work as what it negates.
describe.each([...scorers.keys()].filter(id => !id.includes('/not-')))('%s', id => {
  test('reads 30,000 characters of anything in a second', async () => {
    const score = prepared(id)
    for (const unit of units) {
      const output = unit.repeat(30_000 / unit.length)
      expect(await cpuMsOf(() => score({ output, targets: ['A'], choices: ['x', 'y'], metadata })), JSON.stringify(unit)).toBeLessThan(
        1_000 * slow,
      )
    }
  })
})

test.each(['{}{', '{[', '[{', '"{'])('promptfoo/contains-json reads %s within itself as malformed', async unit => {
  const score = prepared('promptfoo/contains-json')
  const output = unit.repeat(30_000 / unit.length)
  expect(await cpuMsOf(() => score({ output, targets: ['A'], choices: ['x', 'y'], metadata }))).toBeLessThan(300 * slow)
})

describe('a hostile pattern', () => {
  // Each of these keeps a backtracking engine busy for ever, and RE2 for many seconds.
  test.each([
    ['assay/pattern', { pattern: '(a?){1000}[bc]' }],
    ['inspect_ai/pattern', { pattern: String.raw`([\w\W]{0,999}[\p{L}]{0,999}[!?])` }],
    ['assay/exact_match', { extraction: { pattern: '(a*b|a)', select: 'last' } }],
    ['assay/json_schema', { schema: { type: 'string', pattern: '(?:(a?){30}){30}[bc]' } }],
  ])('of %s is stopped within its limit and harms its own sample only', async (scorer, chosen) => {
    const long = JSON.stringify('a'.repeat(100_000))
    const inputs = ['"ab!"', long, '"ab!"'].map(output => ({ output, targets: ['ab!'] }))
    const took = await cpuMsOf(() => {
      const [before, harmed, after] = scoreBatch([{ id: 'm', scorer, options: chosen, primary: true }], inputs).flat()
      expect(harmed).toMatchObject({ class: 'too_slow', value: null, explanation: expect.stringContaining('takes too long') })
      expect(before?.value).not.toBeNull()
      expect(after).toEqual(before)
    })
    expect(took).toBeLessThan(5_000 * slow)
  })
})

describe.each(['assay/exact_match', 'lm_eval/gsm8k_strict', 'lm_eval/gsm8k_flexible', 'ifeval/strict'])('%s', id => {
  test('reads a million characters', async () => {
    const score = prepared(id)
    for (const unit of ['a', ' ', '\n', '!', '*']) {
      const output = `${unit.repeat(1_000_000)}x`
      expect(await cpuMsOf(() => score({ output, targets: ['18'], metadata })), JSON.stringify(unit)).toBeLessThan(5_000 * slow)
    }
  })
})
