import { describe, expect, test } from 'vitest'
import { profileChance } from '../../../../src/engine/importing/packages/checks/chance.ts'
import { checkReference } from '../../../../src/engine/importing/packages/checks/reference.ts'
import { checkTrivialAnswers, type TrivialScore } from '../../../../src/engine/importing/packages/checks/trivial-answers.ts'
import type { PackageTask } from '../../../../src/engine/importing/packages/package-task.ts'

const task = (id: string, target: string): PackageTask => ({
  id,
  split: 'test',
  input: id,
  targets: [target],
  choices: null,
  correct: null,
  reference: null,
  cluster: null,
  media: [],
  others: [],
})
/** Of a closed set of two answers. */
const answers = (yes: number, no: number) => [
  ...Array.from({ length: yes }, (_, i) => task(`y-${i}`, 'yes')),
  ...Array.from({ length: no }, (_, i) => task(`n-${i}`, 'no')),
]
const majority = (right: number, scored: number, chance: number): TrivialScore => ({
  profile: 'direct',
  chance,
  strategy: 'majority',
  right,
  scored,
})

describe('the chance of a profile', () => {
  test('is the share of the commonest answer only where the profile declares it and the tasks have it', () => {
    const tasks = answers(60, 40)
    expect(profileChance({}, tasks)).toBe(0.5)
    expect(profileChance({ chance_level: 0.6 }, tasks)).toBe(0.6)
    expect(profileChance({ chance_level: 0.7 }, tasks)).toBe(0.5)
  })

  test('is not raised for open answers', () => {
    const tasks = Array.from({ length: 40 }, (_, i) => task(`t-${i}`, i < 30 ? 'same' : String(i)))
    expect(profileChance({ chance_level: 0.75 }, tasks)).toBe(0)
  })
})

describe('the check of trivial answers', () => {
  test('passes the majority of BBH’s boolean expressions, 135 of 250, and fails one of 200', () => {
    expect(checkTrivialAnswers([majority(135, 250, 0.5)])).toMatchObject({ outcome: 'pass' })
    expect(checkTrivialAnswers([majority(200, 250, 0.5)])).toMatchObject({ outcome: 'fail' })
  })

  test('passes a declared imbalance, and fails one that leaves nothing to measure', () => {
    expect(checkTrivialAnswers([majority(160, 250, 0.64)])).toMatchObject({ outcome: 'pass' })
    expect(checkTrivialAnswers([majority(240, 250, 0.96)])).toMatchObject({
      outcome: 'fail',
      detail: expect.stringContaining('leaves nothing to measure'),
    })
  })
})

describe('the check of references', () => {
  const scored = (id: string, value: number, steady = true) => ({ task: id, profile: 'direct', value, steady })

  test('warns where a task has neither a target nor a solution', () => {
    expect(checkReference([scored('a', 1)], ['a', 'b'])).toMatchObject({ outcome: 'warn', taskIds: ['b'] })
    expect(checkReference([], ['a'])).toMatchObject({ outcome: 'warn' })
  })

  test('fails where an answer is wrong, or scores differently from time to time', () => {
    expect(checkReference([scored('a', 1), scored('b', 0)], ['a', 'b'])).toMatchObject({ outcome: 'fail', taskIds: ['b'] })
    expect(checkReference([scored('a', 1, false)], ['a'])).toMatchObject({ outcome: 'fail', taskIds: ['a'] })
  })
})
