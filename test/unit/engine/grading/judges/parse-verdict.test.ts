import { describe, expect, test } from 'vitest'
import { parseVerdict } from '../../../../../src/engine/grading/judges/parse-verdict.ts'
import { judgeWith } from './judge.ts'
import { criteria, oneToFive, pairs, yesOrNo } from './judge-replies.ts'

const choice = judgeWith({ menu: [{ value: 'yes', passes: true }, { value: 'no' }] })
const scale = judgeWith({ mode: 'score', menu: ['1', '2', '3', '4', '5'].map(value => ({ value })) })
const pairwise = judgeWith({ mode: 'pairwise', menu: [] })
const rubric = judgeWith({ mode: 'rubric', menu: [], criteria: [{ id: 'cites', text: 'It cites.', points: 1 }] })
const read = (judge: typeof choice, text: string) => parseVerdict(judge, { text, structured: null }, 'b0undary')

describe.each([
  ['yes or no', choice, yesOrNo],
  ['1 to 5', scale, oneToFive],
  ['a, b or a tie', pairwise, pairs],
  ['met or not met', rubric, criteria],
] as const)('a judge that says %s', (_, judge, replies) => {
  test.each(replies)('in %j says %j', (reply, verdict) => {
    expect(read(judge, reply).verdict).toBe(verdict)
  })
})

test('at least 120 labeled replies are read', () => {
  expect(yesOrNo.length + oneToFive.length + pairs.length + criteria.length).toBeGreaterThanOrEqual(120)
})

describe('a reply that did not end well', () => {
  const after = judgeWith({ ...scale, explanation: 'after' })
  const oneToTen = judgeWith({ mode: 'score', menu: Array.from({ length: 10 }, (_, i) => ({ value: `${i + 1}` })), explanation: 'after' })
  const ended = (judge: typeof choice, text: string, finishReason: string | null, structured: string | null = null) =>
    parseVerdict(judge, { text, structured, finishReason }, 'b0undary')

  test.each([
    ['content_filter', /stopped by a content filter/],
    ['refusal', /declined/],
    ['length', /cut off at its token limit/],
    ['max_tokens', /cut off at its token limit/],
  ])('gives no verdict: %s', (finishReason, problem) => {
    expect(ended(choice, 'It is right.\nVERDICT: yes', finishReason)).toEqual({
      verdict: null,
      reason: '',
      problem: expect.stringMatching(problem),
    })
  })

  test.each<[string, typeof choice, string, string | null, string | null]>([
    ['a number that may go on', after, 'SCORE: 1', null, null],
    ['a verdict before reasons that were cut', after, 'VERDICT: 4\nIt cites', null, '4'],
    ['a whole object', choice, '{"verdict": "yes"}', null, 'yes'],
    ['half an object', choice, '{"verdict": "yes', null, null],
    ['a number that ends open JSON', oneToTen, '{\n  "score": 1', null, null],
    ['a number that ends JSON behind words', oneToTen, 'My rating:\n{"score": 1', null, null],
    ['a number that ends a tool call', oneToTen, '', '{"score": 1', null],
    ['the second of two tool calls', oneToTen, '', '[{"score": 1},{"score": 1]', null],
    ['a number within open JSON', oneToTen, '{\n  "score": 1,\n  "reason": "It', null, '1'],
    ['closed JSON before words', oneToTen, 'My rating:\n{"score": 1}\nIt cites', null, '1'],
    ['a whole tool call', choice, '', '{"verdict": "yes"}', 'yes'],
  ])('at a token limit, %s', (_, judge, text, structured, verdict) => {
    expect(ended(judge, text, 'length', structured).verdict).toBe(verdict)
  })

  test.each([null, 'stop', 'a word of its own'])('is read where nothing says that it was stopped: %s', finishReason => {
    expect(ended(choice, 'VERDICT: yes', finishReason).verdict).toBe('yes')
  })
})

describe('a reply without one verdict', () => {
  test.each([
    ['<think>It is right. VERDICT: yes', 'wrote reasoning and no verdict'],
    ['', 'wrote nothing'],
    ['VERDICT: perhaps', 'gave a reply that is not on the menu'],
    ['VERDICT: yes\nVERDICT: no', 'gave more than one verdict'],
  ])('says why: %j', (reply, problem) => {
    expect(read(choice, reply).problem).toContain(problem)
  })

  test('says why of a number outside the scale', () => {
    expect(read(scale, 'VERDICT: 8/10').problem).toBe('gave a score outside the scale: "8/10"')
  })

  test('of a judge whose thoughts came apart says that it only thought', () => {
    expect(parseVerdict(choice, { text: '', structured: null, reasoned: true }, 'b').problem).toBe('wrote reasoning and no verdict')
  })
})

describe('the reason', () => {
  test.each([
    ['Right.\nVERDICT: yes', 'Right.'],
    ['VERDICT: yes\n\nIt is right.', 'It is right.'],
    ['{"verdict": "yes", "reason": "It adds up."}', 'It adds up.'],
    ['<think>Hm.</think>Fine.\nVERDICT: yes', 'Fine.'],
    ['```\nVERDICT: yes\n```', ''],
    ['VERDICT:\nyes', ''],
  ])('of %j is %j', (reply, reason) => {
    expect(read(choice, reply)).toEqual({ verdict: 'yes', reason })
  })
})
