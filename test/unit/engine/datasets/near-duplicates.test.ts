import { describe, expect, test } from 'vitest'
import { findNearDuplicates } from '../../../../src/engine/reporting/datasets/near-duplicates.ts'
import { mulberry32 } from '../../../../src/engine/statistics/random.ts'

const random = mulberry32(7)
const text = (words: number) => Array.from({ length: words }, () => Math.floor(random() * 5000).toString(36)).join(' ')

/** Jaccard similarity of three-word shingles, the slow and plain way. */
function similarity(a: string, b: string): number {
  const shingles = (of: string) => {
    const words = of.split(' ')
    return new Set(words.slice(2).map((_, i) => words.slice(i, i + 3).join(' ')))
  }
  const [left, right] = [shingles(a), shingles(b)]
  const common = [...left].filter(shingle => right.has(shingle)).length
  return common / (left.size + right.size - common)
}

describe('near duplicates', () => {
  test('are the texts that share four fifths of their shingles, compared with the plain computation', () => {
    const originals = Array.from({ length: 200 }, () => text(120))
    const copies = originals.map((original, i) => {
      const words = original.split(' ')
      for (let change = 0; change < i % 12; change++) words[Math.floor(random() * words.length)] = 'changed'
      return words.join(' ')
    })
    const found = new Map(findNearDuplicates([...originals, ...copies]).map(one => [one.index, one]))
    let near = 0
    for (const [i, copy] of copies.entries()) {
      const expected = similarity(originals[i] ?? '', copy)
      const one = found.get(200 + i)
      // The bands find a similarity of 0.8 with probability 0.9998.
      if (expected >= 0.8) {
        near++
        expect(one?.of).toBe(i)
        expect(one?.similarity).toBeCloseTo(expected, 10)
      } else expect(one).toBeUndefined()
    }
    expect(near).toBeGreaterThan(80)
    expect(near).toBeLessThan(200)
    expect(found.size).toBe(near)
  })

  test('ignore case, blanks and punctuation, and tell short texts apart', () => {
    expect(findNearDuplicates(['What is 2 + 2?', 'what IS 2+2', 'What is 3 + 2?', '', ''])).toEqual([
      { index: 1, of: 0, similarity: 1 },
      { index: 4, of: 3, similarity: 1 },
    ])
  })
})
