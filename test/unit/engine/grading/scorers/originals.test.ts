import { describe, expect, it } from 'vitest'
import { splitSentences } from '../../../../../src/engine/grading/scorers/ifeval/split-sentences.ts'
import { extractExecutionAnswer, extractTestOutput } from '../../../../../src/engine/grading/scorers/livecodebench/extract.ts'
import { jsonMatches } from '../../../../../src/engine/grading/scorers/openai-evals/json-match.ts'
import { prepareAssertion } from '../../../../../src/engine/grading/scorers/promptfoo/assertions.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'

describe('IFEval’s sentences', () => {
  // Results of google-research's instructions_util.split_into_sentences, worked out from its source by hand.
  it.each([
    ['One. Two! Three?', ['One.', 'Two!', 'Three?']],
    ['Dr. Smith came. He left.', ['Dr. Smith came.', 'He left.']],
    ['Pi is 3.14 today.', ['Pi is 3.14 today.']],
    ['See example.com now. Bye', ['See example.com now.', 'Bye']],
    ['He said "go." Then he went.', ['He said "go".', 'Then he went.']],
    ['Wait... what', ['Wait...', 'what']],
    ['The U.S. He knew.', ['The U.S.', 'He knew.']],
  ])('of %j are %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences)
  })

  it('are counted by the instruction for key sentences', () => {
    const grade = (output: string, num_sentences: number) =>
      gradeOne(
        { scorer: 'ifeval/strict' },
        {
          output,
          targets: [],
          metadata: {
            instruction_id_list: ['keywords:key_sentences'],
            kwargs: [{ key_sentences: ['I like tea.', 'So do you.'], num_sentences }],
          },
        },
      ).value
    expect(grade('Hello. I like tea. So do you.', 2)).toBe(1)
    expect(grade('Hello. I like tea.', 2)).toBe(0)
    expect(grade('Hello. I like tea.', 1)).toBe(1)
  })
})

describe('LiveCodeBench’s extraction', () => {
  it.each([
    ['[ANSWER]assert f(1) == [2, 3][/ANSWER]', true, '[2, 3]'],
    ['thinking\n[ANSWER]\nassert f(1) == 4\n[/ANSWER] done', true, '4'],
    ["'abc'\nmore", false, "'abc'"],
    ['assert f() == 5', false, '5'],
    ['no mark\nlast line', true, 'no mark'],
  ])('of the execution answer in %j (thoughts: %s) is %j', (reply, thoughts, answer) => {
    expect(extractExecutionAnswer(reply, thoughts)).toBe(answer)
  })

  it('of a predicted test prefers a fence of Python to an earlier one', () => {
    expect(extractTestOutput('```\nx\n```\n```python\n  assert f() == 1\n```')).toBe('  assert f() == 1')
    expect(extractTestOutput('```\ny == 1\n```')).toBe('y == 1')
  })
})

describe('openai/evals JSON', () => {
  it.each([
    [true, 1, true],
    [{ a: [false] }, { a: [0] }, true],
    ['1', 1, false],
    [true, 2, false],
    [null, null, false],
  ])('%j matches %j: %s', (value, target, matches) => {
    expect(jsonMatches(value, target)).toBe(matches)
  })
})

describe('promptfoo’s assertions', () => {
  it.each([
    ['word-count', '3', 'one two three', true],
    ['word-count', { max: 2 }, 'one two three', false],
    ['contains-any', [true, 7], 'it is true', true],
    ['contains-any', [], 'anything', false],
    ['contains-all', [], 'anything', true],
  ])('%s with %j on %j passes: %s', (type, value, output, passes) => {
    expect(prepareAssertion({ type, value, threshold: undefined })(output).pass).toBe(passes)
  })

  it.each([
    ['word-count', 'many'],
    ['word-count', { min: 3, max: 2 }],
  ])('%s refuses %j', (type, value) => {
    expect(() => prepareAssertion({ type, value, threshold: undefined })).toThrow('The value of word-count')
  })
})
