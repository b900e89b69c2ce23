import { describe, expect, test } from 'vitest'
import { groupErrors } from '../../../../src/lib/format/group-errors.ts'

const error = (line: number | null, message = 'The field "question" is missing.') => ({ line, message })

describe('equal errors', () => {
  test('are stated once, with their number and lines', () => {
    const errors = [error(7), error(2), error(null, 'Reading stopped.'), error(3), error(4), error(4, 'Not JSON.')]
    expect(groupErrors(errors)).toEqual([
      { first: errors[0], lines: '2–4, 7', count: 4 },
      { first: errors[2], lines: '', count: 1 },
      { first: errors[5], lines: '4', count: 1 },
    ])
  })

  test('of a file of one line are one group', () => {
    expect(groupErrors(Array.from({ length: 100 }, () => error(1)))).toMatchObject([{ lines: '1', count: 100 }])
  })

  test('name at most three ranges of lines', () => {
    const [group] = groupErrors([1, 3, 5, 6, 8, 10, 1200].map(line => error(line)))
    expect(group).toMatchObject({ lines: '1, 3, 5–6 and 3 more', count: 7 })
  })

  test('of two files are two groups where the file counts', () => {
    const errors = [
      { ...error(1), file: 'a' },
      { ...error(1), file: 'b' },
    ]
    expect(groupErrors(errors, ({ file, message }) => `${file} ${message}`)).toHaveLength(2)
  })
})
