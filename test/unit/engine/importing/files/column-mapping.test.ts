import { describe, expect, it } from 'vitest'
import { mappedContent, settleColumns } from '../../../../../src/engine/importing/files/column-mapping.ts'

const read = (value: Record<string, unknown>, wanted: Parameters<typeof settleColumns>[1] = {}) =>
  mappedContent({ kind: 'jsonl' }, wanted).read({ line: 1, position: 1, value })

describe('columns', () => {
  it.each([
    [['input', 'ideal'], { input: 'input', target: 'ideal', choices: null, id: null }],
    [['question', 'options', 'answer', 'task_id'], { input: 'question', target: 'answer', choices: 'options', id: 'task_id' }],
    [['prompt', 'input', 'target'], { input: 'input', target: 'target', choices: null, id: null }],
  ])('are told by the names that other tools use: %j', (names, expected) => {
    expect(settleColumns(names, {})).toEqual(expected)
  })

  it('are what the user says first of all', () => {
    expect(settleColumns(['a', 'input', 'target'], { input: 'a' })).toMatchObject({ input: 'a', target: 'target' })
    expect(() => settleColumns(['a'], { input: 'b' })).toThrow('There is no column "b" for input; the file has "a".')
    expect(() => settleColumns(['input'], {})).toThrow('Say in "mapping" which one holds the target.')
  })
})

describe('a row', () => {
  it('keeps numbers and truth values as text', () => {
    expect(read({ input: 'a', target: 3.5 })).toMatchObject({ targets: ['3.5'] })
    expect(read({ input: 'a', target: [true, 2] })).toMatchObject({ targets: ['true', '2'] })
  })

  it.each([
    [{ input: 'a', target: null }, 'The field "target" must be text or a number but is null.'],
    [{ input: 'a', target: '' }, 'The field "target" is empty.'],
    [{ input: ' ', target: 'b' }, 'The field "input" is empty.'],
    [{ input: [{ role: 'user', content: 'a' }], target: 'b' }, 'The field "input" must be text but is a list.'],
    [{ input: 'a', target: 2 ** 60 }, 'The number in "target" is too large to be kept exactly; write it as text.'],
    [{ input: 'a', target: 'b', id: 'x\ny' }, 'The id in "id" must be 1 to 200 characters without control characters.'],
    [{ input: 'a', target: 'b', choices: 'b' }, 'The field "choices" must be a list such as ["one", "two"] but is text.'],
    [{ input: 'a', target: 'b', choices: [] }, 'The list "choices" is empty.'],
    [
      { input: 'a', target: 'E', choices: ['b', 'c'] },
      'The target "E" is neither one of the 2 choices nor its letter or its position from 0.',
    ],
    [{ input: 'a', target: ['b', 'c'], choices: ['b', 'c'] }, 'A task with choices has one right answer here, but 2 are given.'],
  ])('%j is refused', (value, message) => {
    expect(() => read(value)).toThrow(message)
  })

  it.each([
    ['c', ['a', 'b', 'c'], 'C'],
    ['B', ['x', 'y'], 'B'],
    [1, ['x', 'y'], 'B'],
    ['1', ['3', '1', '2'], 'B'],
    ['b', '["a", "b"]', 'B'],
  ])('names the right choice %j of %j by its letter %s', (target, choices, letter) => {
    expect(read({ input: 'q', target, choices }).targets).toEqual([letter])
  })
})
