import { describe, expect, test } from 'vitest'
import { chooseSearchWords } from '../../../../../src/engine/reporting/recommendations/choose-search-words.ts'
import { objectiveWords } from '../../../../../src/engine/reporting/recommendations/objective-words.ts'
import { recommend } from '../../../../../src/engine/reporting/recommendations/recommend.ts'
import { readPastResults } from '../../../../../src/engine/reporting/recommendations/past-results.ts'
import type { FoundTask, RecommendationSource } from '../../../../../src/engine/reporting/recommendations/recommendation-source.ts'
import { withRelatedWords } from '../../../../../src/lib/related-words.ts'
import { separationByTask } from '../../../../../src/engine/reporting/recommendations/separation.ts'

describe('the words of an objective', () => {
  test('are those that say what a task is about, each once', () => {
    expect(objectiveWords('How well does the model do multi-step ARITHMETIC, and arithmetic with €5 notes?')).toEqual([
      'multi',
      'step',
      'arithmetic',
      'notes',
    ])
    expect(objectiveWords('the a of is')).toEqual([])
  })

  test('are searched rarest first, as far as there is time, and never those that are nearly everywhere', () => {
    const frequencies = [
      { word: 'question', tasks: 900_000 },
      { word: 'train', tasks: 10_000 },
      { word: 'zeppelin', tasks: 3 },
      { word: 'car', tasks: 20_000 },
      { word: 'unheard', tasks: 0 },
    ]
    expect(chooseSearchWords(frequencies, 1_000_000)).toEqual(['zeppelin', 'train'])
    expect(chooseSearchWords([{ word: 'all', tasks: 50 }], 50)).toEqual(['all'])
    expect(
      chooseSearchWords(
        [
          { word: 'common', tasks: 28_000 },
          { word: 'commoner', tasks: 29_000 },
        ],
        1_000_000,
      ),
    ).toEqual(['common'])
  })
})

test('words of everyday language bring those of the field, phrases too', () => {
  expect(withRelatedWords(['math', 'trains'])).toEqual(['math', 'trains', 'arithmetic', 'maths', 'mathematics', 'algebra'])
  expect(withRelatedWords(['word', 'problems'])).toContain('arithmetic')
  expect(withRelatedWords(['word', 'games'])).toEqual(['word', 'games'])
})

describe('separation', () => {
  const score = (taskNo: number, model: string, value: number) => ({ taskNo, model, identity: model, value })
  const rounded = (scores: Parameters<typeof separationByTask>[0]) =>
    Object.fromEntries([...separationByTask(scores)].map(([no, value]) => [no, Number(value.toFixed(6))]))

  test('is above 0 where the better model is right alone, 0 where all are alike, below 0 where the worse one is ahead', () => {
    const scores = [
      ...[1, 2, 3, 4].flatMap(no => [score(no, 'strong', 1), score(no, 'weak', 0)]),
      score(5, 'strong', 1),
      score(5, 'weak', 1),
      score(6, 'strong', 0),
      score(6, 'weak', 1),
    ]
    expect(rounded(scores)).toEqual({ 1: 0.333333, 2: 0.333333, 3: 0.333333, 4: 0.333333, 5: 0, 6: -0.333333 })
  })

  test('rests the less on the assumption of none the more models there are', () => {
    const of = (models: number) => {
      const names = Array.from({ length: models }, (_, i) => `m${i}`)
      // Ever better models, and one task that only the better half knows.
      const scores = names.flatMap((name, i) => [
        score(0, name, i < models / 2 ? 0 : 1),
        ...Array.from({ length: models }, (_, no) => score(no + 1, name, no < i ? 1 : 0)),
      ])
      const pairs = (models * models) / 4 / ((models * (models - 1)) / 2)
      return [separationByTask(scores).get(0), pairs * ((models - 1) / (models + 1))] as const
    }
    for (const models of [2, 4, 10]) {
      const [found, expected] = of(models)
      expect(found).toBeCloseTo(expected, 10)
    }
  })

  test('judges which model is better without the task itself', () => {
    // By the other task they are equal, so this one cannot say that the model that knows it is better.
    expect(separationByTask([score(1, 'a', 1), score(1, 'b', 0), score(2, 'a', 1), score(2, 'b', 1)]).get(1)).toBe(0)
  })

  test('takes the mean of a model’s runs and leaves out tasks that one model answered', () => {
    const scores = [
      score(1, 'strong', 1),
      score(1, 'strong', 0),
      score(1, 'weak', 0),
      score(2, 'strong', 1),
      score(3, 'strong', 1),
      score(3, 'weak', 0),
    ]
    expect(rounded(scores)).toEqual({ 1: 0.166667, 3: 0.333333 })
  })
})

describe('past results', () => {
  const task = (no: number, versionNo = 1): FoundTask => ({
    no,
    versionNo,
    split: 'test',
    position: no,
    taskId: `t${no}`,
    preview: '',
    inputCharacters: 0,
    choices: null,
    capabilities: [],
    dependsOn: [],
  })
  const result = (taskNo: number, input: number | null, output: number | null) => ({
    taskNo,
    model: 'm',
    identity: 'm',
    value: 1,
    inputTokens: input,
    outputTokens: output,
  })
  const rates = [
    { input: 1_000_000, output: 2_000_000 },
    { input: 0, output: 1_000_000 },
  ]

  test('price a pass of every model by past tokens, and like tasks by the mean of their benchmark', () => {
    const known = readPastResults(
      [task(1), task(2), task(3), task(4, 2)],
      [result(1, 10, 20), result(1, 20, 40), result(2, 100, 100)],
      rates,
      new Set(),
    )
    expect(known(task(1)).cost).toBeCloseTo(15 + 60 + 30)
    expect(known(task(2)).cost).toBeCloseTo(100 + 200 + 100)
    expect(known(task(3)).cost).toBeCloseTo((105 + 400) / 2)
    expect(known(task(4, 2))).toEqual({ separation: null, cost: null })
  })

  test('price nothing without token counts or without models', () => {
    expect(readPastResults([task(1)], [result(1, null, 5)], rates, new Set())(task(1)).cost).toBeNull()
    expect(readPastResults([task(1)], [result(1, 5, 5)], [], new Set())(task(1)).cost).toBeNull()
    expect(readPastResults([task(1)], [result(1, 5, 5)], [...rates, null], new Set())(task(1)).cost).toBeNull()
  })
})

describe('tasks that depend on one another', () => {
  const count = 3000
  /** A version of so many tasks, and how often one of them was looked up. */
  function version(dependsOn: (i: number) => number[]) {
    let reads = 0
    const all = Array.from(
      { length: count },
      (_, no): FoundTask => ({
        no,
        versionNo: 1,
        split: 'test',
        position: no,
        taskId: `t${no}`,
        preview: '',
        inputCharacters: 0,
        choices: null,
        capabilities: [],
        dependsOn: dependsOn(no).map(i => `t${i}`),
      }),
    )
    const source: RecommendationSource = {
      stems: words => [...words],
      rankTexts: texts => texts.map(() => 1),
      frequencies: words => words.map(() => 0),
      holds: () => true,
      search: () => [],
      holders: () => [],
      spread: () => all.slice(-800).map(({ no }) => no),
      tasks: numbers => numbers.flatMap(no => all[no] ?? []),
      tasksById: (_, ids) => {
        reads += ids.length
        return ids.flatMap(id => all[Number(id.slice(1))] ?? [])
      },
      history: () => [],
    }
    const subject = { text: 'chained tasks', capabilities: [], tasks: { versionNo: 1, split: 'test' as const, count } }
    const ask = (limit: number) =>
      recommend({ workspaceId: 'w', objective: 'chained tasks', subjects: [subject], limit, budget: null, rates: [], judged: [] }, source)
    return { ask, reads: () => reads }
  }

  test('in a long chain are looked up once, and no further than could be taken', () => {
    const chain = version(i => (i > 0 ? [i - 1] : []))
    const { chosen, skipped } = chain.ask(1000)
    expect(chosen).toEqual([])
    expect(skipped[0]).toMatchObject({
      code: 'dependencies_do_not_fit',
      reason: 'It needs at least 1001 more tasks and 1000 can still be taken.',
    })
    expect(chain.reads()).toBeLessThanOrEqual(count)
  })

  test('in a circle are chosen together, or not at all', () => {
    const circles = version(i => [i % 2 === 0 ? i + 1 : i - 1, i])
    expect(circles.ask(2).chosen.map(({ requiredBy }) => requiredBy !== null)).toEqual([false, true])
    expect(circles.ask(1).chosen).toEqual([])
  })
})
