import { describe, expect, test } from 'vitest'
import type { WorldExpectation } from '../../../../../src/contract/worlds/worlds.schemas.ts'
import { gradeOne } from '../../../../../src/engine/grading/scorers/registry.ts'
import { isDeeperThan } from '../../../../../src/engine/grading/worlds/json-values.ts'
import { argumentCheck } from '../../../../../src/engine/grading/worlds/match-arguments.ts'
import { stateChanges } from '../../../../../src/engine/grading/worlds/state-changes.ts'

type Call = readonly [turn: number, name: string, given?: Readonly<Record<string, unknown>>]

function grade(expected: WorldExpectation, calls: readonly Call[], more: Readonly<Record<string, unknown>> = {}) {
  const turns = 4
  const steps = Array.from({ length: turns }, (_, i) => ({
    turn: i + 1,
    calls: calls.filter(([turn]) => turn === i + 1).map(([, name, given = {}]) => ({ name, arguments: given, error: false })),
    changes: i === 1 ? [{ path: '/order/status', before: 'open', after: 'paid' }] : [],
  }))
  const episode = { ended: 'answered', turns, answer: 'Refunded 42.', state: { order: { status: 'paid', at: 7 } }, steps, ...more }
  return gradeOne({ scorer: 'assay/world' }, { output: JSON.stringify(episode), targets: [], metadata: { world: { expected } } })
}

describe('rules of arguments', () => {
  test.each<[Record<string, unknown>, Record<string, unknown>, boolean]>([
    [{ n: 5 }, { n: 5.0 }, true],
    [{ n: 5 }, { n: '5' }, false],
    [{ t: 'é' }, { t: 'e\u0301' }, true],
    [{ o: { a: 1, b: [1, 2] } }, { o: { b: [1, 2], a: 1 } }, true],
    [{ o: { a: 1 } }, { o: { a: 1, b: 2 } }, false],
    [{ x: { $any: true } }, {}, true],
    [{ x: { $text: 'New York' } }, { x: 'new-york' }, true],
    [{ x: { $optional: 10 } }, {}, true],
    [{ x: { $optional: 10 } }, { x: 10 }, true],
    [{ x: { $optional: 10 } }, { x: 9 }, false],
    [{ x: { $one_of: ['a', { $near: 2, tolerance: 0.5 }] } }, { x: 2.4 }, true],
    [{ x: { $pattern: '^A\\d+$' } }, { x: 'B1' }, false],
    [{ x: { y: { $any: true }, z: 1 } }, { x: { z: 1, y: [] } }, true],
    [{}, { extra: 1 }, false],
  ])('%j takes %j: %s', (rules, given, expected) => {
    expect(argumentCheck(rules, 'absent')(given)).toBe(expected)
  })

  test('treats names of prototypes as plain names', () => {
    const given: Record<string, unknown> = JSON.parse('{"__proto__":{"a":1}}')
    expect(argumentCheck({ constructor: { $any: true } }, 'absent')({})).toBe(true)
    expect(argumentCheck({}, 'absent')(given)).toBe(false)
    expect(argumentCheck(JSON.parse('{"__proto__":{"a":1}}'), 'absent')(given)).toBe(true)
    expect(argumentCheck({ toString: 1 }, 'absent')({})).toBe(false)
  })
})

describe('changes of a state', () => {
  test('are told by the deepest path, and ignored ones are left out', () => {
    const before = { a: { b: [1, 2], 'c/d': 1 }, at: 1 }
    const after = { a: { b: [1, 3], 'c/d': 2 }, at: 2, new: true }
    expect(stateChanges(before, after, ['/at'])).toEqual([
      { path: '/a/b/1', before: 2, after: 3 },
      { path: '/a/c~1d', before: 1, after: 2 },
      { path: '/new', before: undefined, after: true },
    ])
    expect(stateChanges({ o: { x: { t: 1 }, y: { t: 2 } } }, { o: { x: { t: 3 }, y: { t: 4 } } }, ['/o/*/t'])).toEqual([])
  })

  test('of deep values are refused without a stack', () => {
    let deep: unknown = 1
    for (let i = 0; i < 100_000; i++) deep = [deep]
    expect(isDeeperThan(64, deep)).toBe(true)
    expect(isDeeperThan(64, { a: [{ b: 1 }] })).toBe(false)
    const within: unknown[] = []
    within.push(within, within)
    expect(isDeeperThan(64, within)).toBe(true)
  })
})

describe('an episode of a world', () => {
  test('is correct where everything holds', () => {
    const expected: WorldExpectation = {
      state: { order: { status: 'paid', at: 0 } },
      ignored_paths: ['/order/at'],
      calls: { subset: [{ name: 'pay' }], forbidden: [{ name: 'refund', arguments: { id: 'B' } }] },
      answer: { scorer: 'assay/includes', options: {}, targets: ['42'] },
    }
    expect(
      grade(expected, [
        [2, 'pay', { id: 'A' }],
        [3, 'refund', { id: 'A' }],
      ]),
    ).toMatchObject({
      value: 1,
      values: { state: 1, calls: 1, answer: 1 },
    })
  })

  test.each<[string, WorldExpectation, readonly Call[], string]>([
    [
      'state',
      { state: { order: { status: 'open', at: 7 } } },
      [],
      'Turn 2: The state /order/status is "paid" since turn 2; "open" was expected.',
    ],
    [
      'exact order',
      { calls: { exact: [{ name: 'a' }, { name: 'b' }] } },
      [
        [1, 'b'],
        [2, 'a'],
      ],
      'Turn 1: Call 1 is b {}; a was expected.',
    ],
    [
      'exact end',
      { calls: { exact: [{ name: 'a' }] } },
      [
        [1, 'a'],
        [3, 'a'],
      ],
      'Turn 3: The call a {} was not expected.',
    ],
    ['any order', { calls: { any_order: [{ name: 'a' }, { name: 'b' }] } }, [[1, 'b']], 'Turn 4: The call a was not made.'],
    [
      'forbidden',
      { calls: { forbidden: [{ name: 'x', arguments: { id: { $any: true } } }] } },
      [[3, 'x', { id: 9 }]],
      'Turn 3: The forbidden call x {"id":9} was made.',
    ],
    ['answer', { answer: { scorer: 'assay/includes', options: {}, targets: ['43'] } }, [], 'Turn 4: The answer is not as expected.'],
  ])('is wrong by its %s, and says so with the turn', (_, expected, calls, reason) => {
    const score = grade(expected, calls)
    expect(score.value).toBe(0)
    expect(score.explanation).toContain(reason)
  })

  test('is checked turn by turn of the user: calls until the answer, and the answer', () => {
    const step = (turn: number, calls: string[], answer?: string) => ({
      turn,
      calls: calls.map(name => ({ name, arguments: {}, error: false })),
      changes: [],
      ...(answer !== undefined && { answer }),
    })
    const steps = [step(1, ['look']), step(2, [], 'Which one?'), step(3, ['pay']), step(4, [], 'Paid.')]
    const says = (target: string) => ({ scorer: 'assay/includes', options: {}, targets: [target] })
    const value = (turns: NonNullable<WorldExpectation['turns']>) => grade({ turns }, [], { steps, answer: 'Paid.' })
    expect(
      value([
        { turn: 1, calls: { exact: [{ name: 'look' }], forbidden: [{ name: 'pay' }] }, answer: says('Which') },
        { turn: 2, calls: { exact: [{ name: 'pay' }] }, answer: says('Paid') },
      ]),
    ).toMatchObject({ value: 1, values: { calls: 1, answer: 1 } })
    expect(value([{ turn: 1, calls: { exact: [] } }])).toMatchObject({
      value: 0,
      explanation: expect.stringContaining('Turn 1: The call look'),
    })
    expect(value([{ turn: 1, answer: says('Paid') }])).toMatchObject({
      value: 0,
      explanation: expect.stringContaining('Turn 2: The answer'),
    })
    expect(value([{ turn: 2, calls: { subset: [{ name: 'look' }] } }])).toMatchObject({ value: 0 })
    expect(value([{ turn: 3, answer: says('Paid') }])).toMatchObject({ value: 0, explanation: expect.stringContaining('gave no answer') })
  })

  test('gives an unordered call to the rule that nothing else meets', () => {
    const calls: Call[] = [
      [1, 'a', { id: 1 }],
      [2, 'a', { id: 2 }],
    ]
    expect(grade({ calls: { any_order: [{ name: 'a' }, { name: 'a', arguments: { id: 1 } }] } }, calls).value).toBe(1)
  })

  test('is partly right where parts have weights', () => {
    const expected: WorldExpectation = {
      state: {},
      ignored_paths: [],
      calls: { subset: [{ name: 'a' }] },
      weights: { state: 1, calls: 3, answer: 0 },
    }
    expect(grade(expected, [[1, 'a']])).toMatchObject({ value: 0.75, class: 'partial' })
    const largest = { state: Number.MAX_VALUE, calls: Number.MAX_VALUE, answer: 0 }
    expect(grade({ ...expected, weights: largest }, [[1, 'a']])).toMatchObject({ value: 0.5, class: 'partial' })
  })

  test('has no verdict where the world failed, unless a forbidden call was made before', () => {
    const failed = { ended: 'world_error', answer: null, world_error: 'The function threw.' }
    const expected: WorldExpectation = { calls: { forbidden: [{ name: 'x' }], subset: [{ name: 'y' }] } }
    expect(grade(expected, [], failed)).toMatchObject({ value: null, class: 'unscored', label: 'world_error', counts: { world_error: 1 } })
    expect(grade(expected, [[1, 'x']], failed)).toMatchObject({ value: 0, class: 'wrong' })
  })
})
