import { describe, expect, test } from 'vitest'
import { ScorerConfigError } from '../../../../../../src/engine/grading/scorers/config-error.ts'
import { fixedPattern } from '../../../../../../src/engine/grading/scorers/patterns/fixed-pattern.ts'
import { firstMatch, lastMatch } from '../../../../../../src/engine/grading/scorers/patterns/pattern.ts'
import { userPattern } from '../../../../../../src/engine/grading/scorers/patterns/user-pattern.ts'
import { cpuMsOf, slowness } from '../../../../../support/machine-speed.ts'

function all(pattern: string, text: string): (string | undefined)[] {
  return Array.from(userPattern(pattern).matches(text), match => (match.groups[1] ?? match.groups[0])?.text)
}

describe("patterns in Python's notation on RE2", () => {
  test.each([
    [String.raw`\w+`, 'hé_1 三-x', ['hé_1', '三', 'x']],
    [String.raw`[\W]+`, 'a, b', [', ']],
    [String.raw`\d+`, '１２ 3', ['１２', '3']],
    [String.raw`\S+`, 'a\u0085b', ['a', 'b']],
    [String.raw`[^\s]+`, 'a\u001cb', ['a', 'b']],
    [String.raw`x\Z`, 'x x', ['x']],
    ['a{,2}b', 'aaab', ['aab']],
    ['[]a]+', 'a]b', ['a]']],
    ['(?P<n>b)', 'abc', ['b']],
    ['a(?#note)b', 'ab', ['ab']],
    ['\\u00e9', 'é', ['é']],
    ['(?m)^b$', 'a\nb\nc', ['b']],
  ])('%s on %j', (pattern, text, expected) => expect(all(pattern, text)).toEqual(expected))

  test('lets $ match before the last line end, as Python does', () => {
    expect(firstMatch(userPattern(String.raw`answer: (\w+)$`), 'answer: yes\n')?.groups[1]).toEqual({ text: 'yes', start: 8, end: 11 })
    expect(firstMatch(userPattern('a$'), 'a\nb')).toBeNull()
    expect(firstMatch(userPattern('A: .{0,500}'), `${'x'.repeat(60_000)}A: yes`)?.groups[0]?.text).toBe('A: yes')
  })

  test.each(['(?=a', String.raw`(a)\2`, '(?(1)a|b)', '(?<!x)y(?x)', 'a{1001}', '((a{1,100}){1,100}){1,100}', '[', '(', 'a\\'])(
    'refuses %s and names it',
    source => {
      expect(() => userPattern(source)).toThrow(ScorerConfigError)
      expect(() => userPattern(source)).toThrow(JSON.stringify(source))
    },
  )

  test.each([
    ['^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['^(a|aa)+$', `${'a'.repeat(100_000)}!`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    [String.raw`\s+$`, `${' '.repeat(100_000)}x`],
    ['.*.*.*=.*', 'x'.repeat(3000)],
  ])('runs %s in linear time', async (source, text) => {
    const spent = await cpuMsOf(() => expect(firstMatch(userPattern(source), text)).toBeNull())
    expect(spent).toBeLessThan(5_000 * slowness())
  })
})

describe('fixed patterns', () => {
  test('gives groups with their places, null for one that took no part', () => {
    expect(lastMatch(fixedPattern(/(a)|(b)/), 'ab')?.groups).toEqual([
      { text: 'b', start: 1, end: 2 },
      null,
      { text: 'b', start: 1, end: 2 },
    ])
    expect(fixedPattern(/(a)|(b)/).groupCount).toBe(2)
  })

  test('removes matches', () => expect(fixedPattern(/,/).remove('1,234,5')).toBe('12345'))
})
