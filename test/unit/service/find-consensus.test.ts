import { describe, expect, test } from 'vitest'
import { findConsensus } from '../../../src/service/datasets/find-consensus.ts'

const person = (...values: (string | number)[]) => values.map(value => ({ value, by: 'person' as const }))
const key = (...values: (string | number)[]) => values.map(value => ({ value, by: 'key' as const }))

describe('the consensus of annotators', () => {
  test.each([
    [[], { label: null, state: 'none', by: null }],
    [person('a'), { label: 'a', state: 'unanimous', by: 'person' }],
    [person('a', 'a', 'b'), { label: 'a', state: 'majority', by: 'person' }],
    [person('a', 'b'), { label: null, state: 'tie', by: 'person' }],
    [person('a', 'a', 'b', 'b', 'tie'), { label: null, state: 'tie', by: 'person' }],
    [person('b', 'a', 'tie', 'a'), { label: 'a', state: 'majority', by: 'person' }],
    [[...key('b', 'b', 'b'), ...person('a')], { label: 'a', state: 'unanimous', by: 'person' }],
    [key('b', 'b', 'a'), { label: 'b', state: 'majority', by: 'key' }],
  ] as const)('of %j is %j', (labels, expected) => {
    expect(findConsensus('pairwise', labels)).toEqual(expected)
  })

  test('of scores is their median', () => {
    expect(findConsensus('score', person(1, 5, 2))).toMatchObject({ label: 2, state: 'majority' })
    expect(findConsensus('score', person(1, 2))).toMatchObject({ label: 1.5, state: 'majority' })
    expect(findConsensus('score', person(3, 3))).toMatchObject({ label: 3, state: 'unanimous' })
  })
})
