import { describe, expect, test } from 'vitest'
import { bundledContent } from '../../../../support/bundled-content.ts'

const { tasks, shots } = bundledContent('arithmetic-word-problems')
const line = /^[^:]+: (\d+) ([-+×÷]) (\d+) = (\d+)\.$/

describe('arithmetic word problems', () => {
  test('have solutions whose every line is true and whose last line is the answer', () => {
    for (const { id, targets, metadata } of tasks) {
      const lines = String(metadata['reference_output']).split('\n')
      const values = lines.slice(0, -1).map(text => calculate(id, text))
      expect(values).toHaveLength(Number(metadata['steps']))
      expect(targets).toEqual([String(values.at(-1))])
      expect(lines.at(-1)).toBe(`#### ${values.at(-1)}`)
    }
  })

  test('take their numbers from the story or from a line before', () => {
    for (const { id, fields, metadata } of tasks) {
      // Numbers that everybody knows: two halves or relatives, three points, four legs, five working days, one break less, a hundred kilometres.
      const known = new Set([...(fields['question']?.match(/\d+/g) ?? []), '1', '2', '3', '4', '5', '100'])
      for (const text of String(metadata['reference_output']).split('\n').slice(0, -1)) {
        const [, first = '', , second = '', result = ''] = line.exec(text) ?? []
        expect([id, first, known.has(first)]).toEqual([id, first, true])
        expect([id, second, known.has(second)]).toEqual([id, second, true])
        known.add(result)
      }
    }
  })

  test('cover two to five steps, fifteen topics and all four operations', () => {
    const count = (name: string) =>
      Object.fromEntries([...Map.groupBy(tasks, task => String(task.metadata[name]))].map(([key, group]) => [key, group.length]))
    expect(count('steps')).toEqual({ 2: 45, 3: 90, 4: 81, 5: 54 })
    expect(Object.values(count('topic'))).toEqual(Array.from({ length: 15 }, () => 18))
    expect(new Set(tasks.flatMap(task => task.metadata['operations']))).toEqual(
      new Set(['addition', 'subtraction', 'multiplication', 'division']),
    )
  })

  test('do not hold their answer, and have a wrong answer beside it', () => {
    for (const { fields, targets, metadata } of tasks) {
      expect(fields['question']?.match(/\d+/g)).not.toContain(targets[0])
      expect(String(metadata['wrong_output']).split('\n').at(-1)).not.toBe(`#### ${targets[0]}`)
    }
  })

  test('have examples that are not among the tasks', () => {
    const asked = new Set(tasks.map(task => task.fields['question']))
    expect(shots).toHaveLength(3)
    for (const shot of shots) expect(asked.has(shot.fields['question'])).toBe(false)
  })
})

/** The value of one line of a solution, calculated anew. */
function calculate(id: string, text: string): number {
  const [, first, operator, second, stated] = line.exec(text) ?? []
  const [a, b] = [Number(first), Number(second)]
  const value = operator === '+' ? a + b : operator === '-' ? a - b : operator === '×' ? a * b : a / b
  expect([id, text, value]).toEqual([id, text, Number(stated)])
  return value
}
