import { describe, expect, test } from 'vitest'
import { recommend, type Subject } from '../../../../../src/engine/reporting/recommendations/recommend.ts'
import type { FoundTask, RecommendationSource } from '../../../../../src/engine/reporting/recommendations/recommendation-source.ts'

const count = 1_000_000
const subjects: readonly Subject[] = [{ text: 'An exam', capabilities: [], tasks: { versionNo: 1, split: 'test', count } }]
const task = (no: number): FoundTask => ({
  no,
  versionNo: 1,
  split: 'test',
  position: no,
  taskId: `t${no}`,
  preview: '',
  inputCharacters: 1,
  choices: null,
  capabilities: [],
  dependsOn: [],
})

/** An index in which every third task holds each word. */
function source(asked: string[]): RecommendationSource {
  return {
    stems: words => [...words],
    rankTexts: texts => texts.map(() => 0),
    frequencies: (words, most) => words.map(word => Math.min(word === 'rare' ? 300_000 : 400_000, most)),
    holds: () => true,
    search: () => [],
    holders: (word, _versions, step) => {
      asked.push(word)
      return Array.from({ length: Math.floor(count / 3 / step) }, (_, i) => i * 3 * step)
    },
    spread: () => [],
    tasks: numbers => numbers.map(task),
    tasksById: () => [],
    history: () => [],
  }
}

describe('an objective whose words are nearly everywhere', () => {
  test('still finds tasks that hold the rarest of them, from all over the index', () => {
    const asked: string[] = []
    const answer = recommend(
      { workspaceId: 'w', objective: 'tax', subjects, limit: 50, budget: null, rates: [], judged: [] },
      source(asked),
    )
    expect(asked).toEqual(['tax'])
    expect(answer.chosen).toHaveLength(50)
    expect(answer.chosen.every(({ task: one }) => one.relevance === 1)).toBe(true)
    expect(answer.unknownWords).toEqual([])
  })

  test('looks at a thousand tasks at most', () => {
    const numbers = new Set<number>()
    const counting = { ...source([]), tasks: (wanted: readonly number[]) => wanted.map(no => (numbers.add(no), task(no))) }
    recommend({ workspaceId: 'w', objective: 'tax', subjects, limit: 1000, budget: null, rates: [], judged: [] }, counting)
    expect(numbers.size).toBeGreaterThan(500)
    expect(numbers.size).toBeLessThanOrEqual(1000)
    expect(Math.max(...numbers)).toBeGreaterThan(count / 2)
  })
})
