import { describe, expect, test } from 'vitest'
import type { TaskMetadata } from '../../../../src/contract/catalog/tasks.schemas.ts'
import { promptCost, promptTokens } from '../../../../src/renderer/suites/prompt-cost.ts'
import { withTasks } from '../../../../src/renderer/suites/selection.ts'

const task = (id: string, characters: number): TaskMetadata => ({
  task_id: id,
  source_ref: 'eval://assay/a/1',
  split: 'test',
  position: 0,
  preview: '',
  input_characters: characters,
  choices: null,
  capabilities: [],
  depends_on: [],
})

describe('what asking a suite once would cost', () => {
  test('counts a token for every four characters of a task, each task rounded up', () => {
    const tasks = [task('a', 400), task('b', 1)]
    expect(promptTokens(withTasks(new Map(), tasks, tasks))).toBe(101)
    expect(promptTokens(new Map())).toBe(0)
  })

  test('prices prompt tokens only', () => {
    expect(promptCost(1_000_000, { input_microusd_per_million: '2500000', output_microusd_per_million: '9' })).toBe('2500000')
    expect(promptCost(1, { input_microusd_per_million: '1', output_microusd_per_million: '0' })).toBe('1')
    expect(promptCost(1000, { input_microusd_per_million: '0', output_microusd_per_million: '5' })).toBe('0')
  })
})
