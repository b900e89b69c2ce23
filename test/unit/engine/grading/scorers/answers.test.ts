import { describe, expect, test } from 'vitest'
import { healthbenchScore } from '../../../../../src/engine/grading/scorers/simple-evals/healthbench.ts'
import { dropScores } from '../../../../../src/engine/grading/scorers/simple-evals/drop.ts'
import { grade, valueOf } from './grade.ts'

describe('simple-evals', () => {
  test.each([
    ['simple_evals/mcq', {}, 'Answer: Apple', 'A', 1],
    ['simple_evals/mcq', {}, 'Answer: (B)', 'B', 0],
    ['simple_evals/mcq', {}, 'answer :$C$\nAnswer: D', 'C', 1],
    ['simple_evals/mgsm', {}, 'Answer: -4', '4', 1],
    ['simple_evals/mgsm', {}, 'Answer: 1,234.00', '1234', 1],
    ['simple_evals/mgsm', { answer_prefix: '答案' }, '答案: 12 个', '12', 1],
    ['simple_evals/mgsm', {}, '18', '18', 0],
    ['simple_evals/drop', {}, 'Answer: the 5 men', 'men', 1],
    ['simple_evals/drop', {}, 'nothing', 'men', 0],
    ['simple_evals/drop', {}, 'x', ' ', null],
  ])('%s with %j on %j against %j is %s', (scorer, options, output, target, expected) =>
    expect(valueOf(scorer, options, output, target)).toBe(expected),
  )

  test('compares DROP answers as numbers and as bags of words', () => {
    expect(dropScores('12 touchdowns', ['13 touchdowns'])).toEqual({ em: 0, f1: 0 })
    expect(dropScores('$3,000', ['3000'])).toEqual({ em: 1, f1: 100 })
    expect(dropScores('John Smith', ['Smith'])).toEqual({ em: 0, f1: 66.67 })
    expect(grade('simple_evals/drop', {}, 'Answer: John Smith', 'Smith').values).toEqual({ em: 0, f1: 66.67 })
  })

  test('takes HealthBench points that can be lost', () => {
    expect([healthbenchScore([5, -3], [true, true]), healthbenchScore([5, -3], [false, true]), healthbenchScore([-1], [true])]).toEqual([
      0.4,
      -0.6,
      null,
    ])
  })
})

describe('openai/evals', () => {
  test.each([
    ['openai_evals/Match', {}, 'world peace', 'world', 1],
    ['openai_evals/Match', {}, 'the world', 'world', 0],
    ['openai_evals/Includes', {}, 'The World', 'world', 0],
    ['openai_evals/Includes', { ignore_case: true }, 'The World', 'world', 1],
    ['openai_evals/FuzzyMatch', {}, 'hello', 'othello', 1],
    ['openai_evals/FuzzyMatch', {}, '', 'x', 0],
    ['openai_evals/JsonMatch', {}, '{"b": [1], "a": "x"}', '{"a": "x", "b": [1.0]}', 1],
    ['openai_evals/JsonMatch', {}, '{"a": null}', '{"a": null}', 0],
    ['openai_evals/JsonMatch', {}, '{"a": 1, "b": 2}', '{"a": 1}', 0],
    ['openai_evals/JsonMatch', {}, '{', '{}', 0],
    ['openai_evals/JsonMatch', {}, '{}', '{', null],
    ['openai_evals/JsonValidator', {}, '[1]', '', 1],
    ['openai_evals/JsonValidator', {}, '[1', '', 0],
  ])('%s with %j on %j against %j is %s', (scorer, options, output, target, expected) =>
    expect(valueOf(scorer, options, output, target)).toBe(expected),
  )

  test('adds the F1 of the words to a fuzzy match', () =>
    expect(grade('openai_evals/FuzzyMatch', {}, 'a red cat', ['the cat']).values).toEqual({ f1_score: 2 / 3 }))
})

describe('HELM', () => {
  test.each([
    ['helm/exact_match', ' 33 ', '33', 1],
    ['helm/exact_match', '', '', 0],
    ['helm/quasi_exact_match', 'The U.S.', 'us', 1],
    ['helm/prefix_exact_match', 'yes, sure', 'yes', 1],
    ['helm/quasi_prefix_exact_match', 'Yes! Sure', 'yes', 1],
    ['helm/exact_match_indicator', 'it is 5', 'that is 5', 1],
    ['helm/final_number_exact_match', 'first 1,234 then', 'x 1234', 1],
    ['helm/final_number_exact_match', '-33', '33', 0],
  ])('%s of %j against %j is %d', (scorer, output, target, expected) => expect(valueOf(scorer, {}, output, target)).toBe(expected))
})

describe('hendrycks_math/is_equiv', () => {
  test.each([
    [String.raw`so \boxed{\dfrac12}`, String.raw`\frac{1}{2}`, 1],
    ['1/2', String.raw`\frac{1}{2}`, 1],
    ['0.5', '1/2', 1],
    ['.5', '0.5', 1],
    ['k = 3', '3', 1],
    ['kk = 3', '3', 0],
    [String.raw`50\%`, '50', 1],
    [String.raw`\sqrt3`, String.raw`\sqrt{3}`, 1],
    [String.raw`5\text{ cm}`, '5', 1],
    ['2.0', '2', 0],
    ['1,000', '1000', 0],
    [String.raw`\frac`, String.raw`\frac`, 1],
    [String.raw`\frac1`, String.raw`\frac1`, 1],
    [String.raw`a\text{ b}\text{ c}`, 'a', 0],
  ])('%s against %s is %d', (output, target, expected) => expect(valueOf('hendrycks_math/is_equiv', {}, output, target)).toBe(expected))
})
