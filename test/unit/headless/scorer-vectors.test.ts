import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkVectors } from '../../../src/headless/vectors/scorers/check.ts'
import { matchesExpected } from '../../../src/headless/vectors/scorers/matches-expected.ts'

const file = new URL('../../../../shared/vectors/scorer-vectors.json', import.meta.url)

describe.skipIf(!existsSync(file))('the scorer vectors (skipped where ../shared/vectors is absent)', () => {
  test('all pass', () => {
    const { passed, failures } = checkVectors(JSON.parse(readFileSync(file, 'utf8')))
    expect(failures).toEqual([])
    expect(passed).toBe(714)
  })
})

describe('checking vectors', () => {
  const row = { scorer: 'assay/none', options: {}, output: 'a', target: 'b', expected: true }

  test('names a row whose scorer is unknown and one that differs', () => {
    const report = checkVectors([row, { ...row, scorer: 'openai_evals/Match' }, { ...row, scorer: 'openai_evals/Match', output: 'bc' }])
    expect(report.passed).toBe(1)
    expect(report.failures.map(({ row: position, scorer }) => [position, scorer])).toEqual([
      [1, 'assay/none'],
      [2, 'openai_evals/Match'],
    ])
    expect(report.failures[1]?.reason).toBe('expected true, got false, for "a" against "b"')
  })

  test('refuses a file that is no list of rows', () => expect(() => checkVectors({ rows: [] })).toThrow(/not an array of rows/))

  test.each([
    [1, 1 + 1e-12, true],
    [1, 1.1, false],
    [Number.NaN, 'NaN', true],
    [0.5, '> 0 and < 1', true],
    [0.5, '> 0.999', false],
    ['error: ours', 'error: theirs', true],
    [false, 'error: theirs', false],
    [{ a: 1, b: 2 }, { a: 1 }, true],
    [[1, 2], [1], false],
    [null, false, false],
  ])('%j against %j is %s', (actual, expected, isMatch) => expect(matchesExpected(actual, expected, 1e-9)).toBe(isMatch))
})
