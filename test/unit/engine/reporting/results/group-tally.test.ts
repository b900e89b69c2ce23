import { describe, expect, test } from 'vitest'
import { createGroupTally } from '../../../../../src/engine/reporting/results/group-tally.ts'

describe('the figure of groups of tasks', () => {
  test('counts a group only where all of it is right, and leaves out what has no verdict and nothing wrong', () => {
    const tally = createGroupTally()
    // 4 of 4, 3 of 4, 3 and one without verdict, one wrong and one without verdict, alone and right.
    for (const task of ['a1', 'a2', 'a3', 'a4']) tally.add(task, 1, 'a')
    for (const task of ['b1', 'b2', 'b3']) tally.add(task, 1, 'b')
    tally.add('b4', 0, 'b')
    for (const task of ['c1', 'c2', 'c3']) tally.add(task, 1, 'c')
    tally.miss('c4', 'c')
    tally.add('d1', 0, 'd')
    tally.add('d2', null, 'd')
    tally.add('e1', 1)
    expect(tally.estimate()).toMatchObject({ n: 4, mean: 0.5, interval: { method: 'wilson', level: 0.95 } })
    expect(tally.unscored).toBe(2)
    expect(tally.bounds()).toEqual({ worst: 2 / 5, best: 3 / 5 })
  })

  test('takes groups whose tasks are apart', () => {
    const tally = createGroupTally()
    for (const [task, value, group] of [
      ['a1', 1, 'a'],
      ['b1', 1, 'b'],
      ['a2', 0, 'a'],
      ['b2', 1, 'b'],
    ] as const)
      tally.add(task, value, group)
    expect(tally.estimate()).toMatchObject({ n: 2, mean: 0.5 })
  })
})
