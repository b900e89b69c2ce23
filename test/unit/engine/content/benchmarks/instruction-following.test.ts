import { describe, expect, test } from 'vitest'
import { bundledContent } from '../../../../support/bundled-content.ts'
import { ifevalInstructions } from '../../../../../src/engine/grading/scorers/ifeval/instructions.ts'

const { tasks } = bundledContent('instruction-following')

const Instructions = (metadata: Readonly<Record<string, unknown>>) => {
  // The published tasks have these types; their digest is asserted.
  const ids = metadata['instruction_id_list'] as readonly string[]
  const kwargs = metadata['kwargs'] as readonly Readonly<Record<string, unknown>>[]
  return ids.map((id, i) => ({ id, kwargs: kwargs[i] ?? {} }))
}

describe('instruction following', () => {
  test('has tasks around each of the 25 kinds, with one to three different instructions', () => {
    const kinds = new Set(tasks.flatMap(task => Instructions(task.metadata).map(({ id }) => id)))
    expect(kinds.size).toBe(25)
    const counts = Map.groupBy(tasks, task => Instructions(task.metadata).length)
    expect(new Set(counts.keys())).toEqual(new Set([1, 2, 3]))
    for (const group of counts.values()) expect(group.length).toBeGreaterThan(60)
    for (const task of tasks) {
      const ids = Instructions(task.metadata).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  test('states the arguments of each instruction in the prompt', () => {
    for (const { id, fields, metadata } of tasks) {
      for (const { kwargs } of Instructions(metadata)) {
        for (const [name, value] of Object.entries(kwargs)) {
          if (['relation', 'let_relation', 'capital_relation', 'language', 'nth_paragraph', 'prompt_to_repeat'].includes(name)) continue
          for (const part of Array.isArray(value) ? value : [value]) {
            expect([id, fields['prompt']?.toLowerCase().includes(String(part).toLowerCase())]).toEqual([id, true])
          }
        }
      }
    }
  })

  test('breaks the instruction that a task is built around in its wrong answer', () => {
    for (const { id, metadata } of tasks) {
      const wrong = String(metadata['wrong_output'])
      expect([id, Instructions(metadata).some(({ id: kind, kwargs }) => !ifevalInstructions.checker(kind, kwargs)(wrong))]).toEqual([
        id,
        true,
      ])
      expect(wrong).not.toContain('\n')
    }
  })
})
