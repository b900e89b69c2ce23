import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { describe, expect, test } from 'vitest'
import { readPastResults } from '../../../../../src/engine/reporting/recommendations/past-results.ts'
import type { FoundTask, PastResult } from '../../../../../src/engine/reporting/recommendations/recommendation-source.ts'
import { selectTasks } from '../../../../../src/engine/reporting/recommendations/select-tasks.ts'

/** In [0, 1), the same for the same seed. */
function randomBy(seed: number): () => number {
  const generator = xoroshiro128plus(seed)
  return () => (generator.next() >>> 0) / 2 ** 32
}

const tasks: readonly FoundTask[] = Array.from({ length: 600 }, (_, no) => ({
  no,
  versionNo: 1,
  split: 'test',
  position: no,
  taskId: `t${no}`,
  preview: '',
  inputCharacters: 0,
  choices: null,
  capabilities: [],
  dependsOn: [],
}))

/** Temperature 0: a model gives the same answer again, so its score on a task is its past result on it. */
type Answers = ReadonlyMap<string, readonly number[]>

/** Each model knows each task with a probability of its own ability and the task's difficulty. */
function answersOf(abilities: ReadonlyMap<string, number>, random: () => number): Answers {
  const difficulty = tasks.map(() => 3 * random() - 1.5)
  return new Map(
    [...abilities].map(([model, ability]) => [
      model,
      difficulty.map(hard => (random() < 1 / (1 + Math.exp(hard - Math.log(ability / (1 - ability)))) ? 1 : 0)),
    ]),
  )
}

/** The tasks that a recommendation for equally fitting tasks names, by the functions that the product uses. */
function recommended(answers: Answers, judged: readonly string[]): number[] {
  const history: PastResult[] = [...answers].flatMap(([model, values]) =>
    values.map((value, taskNo) => ({ taskNo, model, identity: model, value, inputTokens: null, outputTokens: null })),
  )
  const known = readPastResults(tasks, history, [], new Set(judged))
  const candidates = tasks.map(task => ({ ...task, source: 0, relevance: 1, ...known(task) }))
  return selectTasks(candidates, { tasks: 50, budget: null }, () => []).chosen.map(({ task }) => task.no)
}

function scoreOn(chosen: readonly number[], answers: readonly number[] = []): number {
  return chosen.reduce((sum, no) => sum + (answers[no] ?? 0), 0) / chosen.length
}

const all = tasks.map(task => task.no)
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const standardError = (values: readonly number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - 1) / values.length)

/** For each of many worlds: how far A is ahead of B on the chosen tasks, beyond how far it is on all of them. */
function excess(a: number, b: number, judged: readonly string[]): number[] {
  return Array.from({ length: 60 }, (_, world) => {
    const others = Array.from({ length: 6 }, (_, i) => [`m${i}`, 0.2 + 0.1 * i] as const)
    const answers = answersOf(new Map([['A', a], ['B', b], ...others]), randomBy(world + 1))
    const chosen = recommended(answers, judged)
    const ahead = (some: readonly number[]) => scoreOn(some, answers.get('A')) - scoreOn(some, answers.get('B'))
    return ahead(chosen) - ahead(all)
  })
}

describe('a score on recommended tasks', () => {
  test('is far off where the model’s own results helped to choose them', () => {
    // As the product did before: nobody is left out.
    const found = excess(0.56, 0.22, [])
    expect(mean(found)).toBeGreaterThan(0.2)
    expect(mean(found)).toBeGreaterThan(10 * standardError(found))
  })

  test('of two models alone is everything and nothing', () => {
    const answers = answersOf(
      new Map([
        ['A', 0.56],
        ['B', 0.22],
      ]),
      randomBy(7),
    )
    const chosen = recommended(answers, [])
    expect([scoreOn(chosen, answers.get('A')), scoreOn(chosen, answers.get('B'))]).toEqual([1, 0])
    expect(scoreOn(all, answers.get('A'))).toBeLessThan(0.65)
    expect(scoreOn(all, answers.get('B'))).toBeGreaterThan(0.15)
  })

  test('is not where it was left out: the difference is what it is on all tasks', () => {
    const found = excess(0.56, 0.22, ['A', 'B'])
    expect(Math.abs(mean(found))).toBeLessThan(0.05)
  })

  test('does not make one of two equal models better', () => {
    const found = excess(0.5, 0.5, ['A', 'B'])
    expect(Math.abs(mean(found))).toBeLessThan(3 * standardError(found))
  })
})
