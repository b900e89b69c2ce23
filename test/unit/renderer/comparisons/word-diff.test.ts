import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DiffPart, diffWords } from '../../../../src/renderer/comparisons/word-diff.ts'

const textOf = (parts: readonly DiffPart[]) => parts.map(part => part.text).join('')
const changed = (parts: readonly DiffPart[]) => parts.filter(part => part.changed).map(part => part.text)
const common = (parts: readonly DiffPart[]) =>
  parts
    .filter(part => !part.changed)
    .map(part => part.text)
    .join('')

describe('diffWords', () => {
  test('marks the words that only one text has', () => {
    const diff = diffWords('The answer is 42 apples.', 'The answer is 43 pears.')
    expect(changed(diff.left)).toEqual(['42', 'apples'])
    expect(changed(diff.right)).toEqual(['43', 'pears'])
    expect(diff.exact).toBe(true)
  })

  test('finds what was put in between, and nothing on the other side', () => {
    const diff = diffWords('a b c d', 'a b new c d')
    expect(changed(diff.left)).toEqual([])
    expect(changed(diff.right).join('').trim()).toBe('new')
  })

  test('marks nothing in equal texts and everything in texts without a common word', () => {
    expect(changed(diffWords('same text', 'same text').left)).toEqual([])
    expect(changed(diffWords('one', 'two').left)).toEqual(['one'])
    expect(diffWords('', 'two').left).toEqual([])
    expect(changed(diffWords('', 'two').right)).toEqual(['two'])
  })

  test('keeps letters of other scripts and their marks together', () => {
    const diff = diffWords('हिन्दी пять', 'हिन्दी шесть')
    expect(changed(diff.left)).toEqual(['пять'])
    expect(changed(diff.right)).toEqual(['шесть'])
  })

  test('takes the middle as changed where the table would grow beyond the limit', () => {
    const diff = diffWords('start a b c end', 'start c b a end', 10)
    expect(diff.exact).toBe(false)
    expect(changed(diff.left)).toEqual(['a b c'])
    expect(changed(diff.right)).toEqual(['c b a'])
  })

  test('answers quickly for texts of ten thousand different words', () => {
    const words = (letter: string) => Array.from({ length: 10_000 }, (_, index) => `${letter}${index}`).join(' ')
    const diff = diffWords(words('a'), words('b'))
    expect(diff.exact).toBe(false)
    expect(textOf(diff.left)).toBe(words('a'))
  })

  test('loses no character, and what both sides call common is the same text', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c ', ' ', '\n', '.', 'é', '👍'), { maxLength: 40 }).map(all => all.join(''))
    fc.assert(
      fc.property(texts, texts, (left, right) => {
        const diff = diffWords(left, right)
        expect(textOf(diff.left)).toBe(left)
        expect(textOf(diff.right)).toBe(right)
        expect(common(diff.left)).toBe(common(diff.right))
      }),
    )
  })
})
