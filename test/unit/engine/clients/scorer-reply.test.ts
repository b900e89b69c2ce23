import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readScorerReply } from '../../../../src/engine/clients/remote-scorers/scorer-reply.ts'

const reply = (value: number, range: readonly [number, number]) => JSON.stringify({ status: 'scored', scores: [{ value, range }] })
const largest = Number.MAX_VALUE

describe('a score of a remote scorer', () => {
  test.each([
    [0, [-largest, largest], 0.5],
    [largest, [-largest, largest], 1],
    [-largest, [-largest, largest], 0],
    [Number.MIN_VALUE, [0, Number.MIN_VALUE], 1],
    [3, [1, 5], 0.5],
  ] as const)('%d in the range %j is a share of it', (value, range, share) => {
    expect(readScorerReply(reply(value, range))).toMatchObject({ kind: 'scored', value: share })
  })

  test('is within 0 and 1, or none, whatever numbers a scorer sends', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(number, number, number, (value, low, high) => {
        const verdict = readScorerReply(reply(value, [low, high]))
        if (verdict.kind !== 'scored') return
        expect(verdict.value).toBeGreaterThanOrEqual(0)
        expect(verdict.value).toBeLessThanOrEqual(1)
      }),
      { numRuns: 5000 },
    )
  })
})

test.each([
  ['no_label', 'no_label'],
  [undefined, 'unscored'],
  ['two words', 'unscored'],
  ['x'.repeat(65), 'unscored'],
])('a scorer’s own code %j is kept where it is one word', (code, kept) => {
  expect(readScorerReply(JSON.stringify({ status: 'unscored', reason: 'r', code }))).toMatchObject({ kind: 'unscored', code: kept })
})
