import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Candidate, selectTasks } from '../../../../../src/engine/reporting/recommendations/select-tasks.ts'

let made = 0

function candidate(more: Partial<Candidate> = {}): Candidate {
  const no = ++made
  return {
    no,
    taskId: `t${no}`,
    source: 0,
    position: no,
    preview: '',
    inputCharacters: 0,
    choices: null,
    versionNo: 1,
    split: 'test',
    capabilities: [],
    dependsOn: [],
    relevance: 1,
    separation: null,
    cost: null,
    ...more,
  }
}

const many = (n: number, more: Partial<Candidate> = {}) => Array.from({ length: n }, () => candidate(more))
const alone = () => []
const free = { tasks: 10, budget: null }

describe('tasks are chosen', () => {
  test('most relevant first, up to the limit', () => {
    const [low, high, middle] = [candidate({ relevance: 0.1 }), candidate({ relevance: 0.9 }), candidate({ relevance: 0.5 })]
    const { chosen } = selectTasks([low, high, middle], { ...free, tasks: 2 }, alone)
    expect(chosen.map(({ task }) => task)).toEqual([high, middle])
  })

  test('those that separate models before those that all answer alike, unknown ones between', () => {
    const [same, unknown, separating, reversed] = [
      candidate({ separation: 0 }),
      candidate(),
      candidate({ separation: 0.8 }),
      candidate({ separation: -0.9 }),
    ]
    expect(selectTasks([same, unknown, separating, reversed], free, alone).chosen.map(({ task }) => task)).toEqual([
      separating,
      unknown,
      same,
      reversed,
    ])
  })

  test('for their fit first: separation decides only among tasks that fit about as well', () => {
    const [fitting, separating, alike] = [
      candidate({ relevance: 1, separation: 0 }),
      candidate({ relevance: 0.8, separation: 1 }),
      candidate({ relevance: 0.95, separation: 1 }),
    ]
    expect(selectTasks([separating, fitting, alike], free, alone).chosen.map(({ task }) => task)).toEqual([alike, fitting, separating])
  })

  test('spread over capabilities in proportion to their worth', () => {
    const tasks = [
      ...many(50, { capabilities: ['maths'] }),
      ...many(50, { capabilities: ['law'] }),
      ...many(50, { capabilities: ['maths', 'law'], relevance: 0.01 }),
    ]
    const { chosen } = selectTasks(tasks, free, alone)
    expect(chosen.filter(({ task }) => task.capabilities[0] === 'maths')).toHaveLength(5)
    expect(chosen.filter(({ task }) => task.capabilities[0] === 'law')).toHaveLength(5)
    const uneven = selectTasks(
      [...many(50, { capabilities: ['a'], relevance: 0.9 }), ...many(50, { capabilities: ['b'], relevance: 0.3 })],
      { ...free, tasks: 12 },
      alone,
    )
    expect(uneven.chosen.filter(({ task }) => task.capabilities[0] === 'a')).toHaveLength(9)
  })

  test('with what they depend on, which counts', () => {
    const [base, step, goal] = [
      candidate({ relevance: 0.2 }),
      candidate({ relevance: 0.1 }),
      candidate({ relevance: 0.9, dependsOn: ['x'] }),
    ]
    const needs = (task: Candidate) => (task === goal ? [base, step] : [])
    const { chosen } = selectTasks([goal, base, step], { ...free, tasks: 3 }, needs)
    expect(chosen.map(({ task, requiredBy }) => [task, requiredBy])).toEqual([
      [goal, null],
      [base, goal.taskId],
      [step, goal.taskId],
    ])
    const tight = selectTasks([goal, base, step], { ...free, tasks: 2 }, needs)
    expect(tight.chosen.map(({ task }) => task)).toEqual([base, step])
    expect(tight.skipped).toEqual([
      { task: goal, code: 'dependencies_do_not_fit', reason: 'It needs 2 more tasks and 2 can still be taken.' },
    ])
  })

  test('never without what they depend on', () => {
    const orphan = candidate({ dependsOn: ['gone'] })
    const { chosen, skipped } = selectTasks([orphan], free, () => null)
    expect(chosen).toEqual([])
    expect(skipped.map(({ code }) => code)).toEqual(['dependency_missing'])
  })

  test('within the budget, cheaper ones after one that was too dear', () => {
    const [dear, cheap] = [candidate({ cost: 100 }), candidate({ relevance: 0.5, cost: 10 })]
    expect(selectTasks([dear, cheap], { tasks: 5, budget: 50 }, alone)).toMatchObject({ chosen: [{ task: cheap }], budgetReached: true })
    expect(selectTasks([dear, cheap], { tasks: 5, budget: 110 }, alone)).toMatchObject({
      chosen: [{ task: dear }, { task: cheap }],
      budgetReached: false,
    })
  })

  test('the same for any order of candidates, each once', () => {
    const pool = fc.array(
      fc.record({
        relevance: fc.integer({ min: 1, max: 9 }).map(n => n / 9),
        capability: fc.constantFrom('a', 'b', 'c'),
        source: fc.nat({ max: 2 }),
      }),
      { maxLength: 30 },
    )
    fc.assert(
      fc.property(pool, fc.nat({ max: 20 }), fc.integer(), (wishes, limit, seed) => {
        const tasks = wishes.map(({ relevance, capability, source }, position) =>
          candidate({ relevance, capabilities: [capability], source, position }),
        )
        const shuffled = tasks.toSorted((a, b) => ((a.no * 31 + seed) % 17) - ((b.no * 31 + seed) % 17))
        const numbers = (from: readonly Candidate[]) =>
          selectTasks(from, { tasks: limit, budget: null }, alone).chosen.map(({ task }) => task.no)
        expect(new Set(numbers(shuffled))).toEqual(new Set(numbers(tasks)))
        expect(numbers(tasks)).toHaveLength(Math.min(limit, tasks.length))
      }),
    )
  })
})
