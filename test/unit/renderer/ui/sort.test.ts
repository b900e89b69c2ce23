import { describe, expect, test } from 'vitest'
import { compareValues, formatSort, nextSort, parseSort } from '../../../../src/renderer/ui/table/sort.ts'

describe('sort in an address', () => {
  test.each(['latency', '-latency'])('reads back what it wrote: %s', text => {
    expect(formatSort(parseSort(text))).toBe(text)
  })

  test('is nothing for an empty address', () => {
    expect(parseSort('')).toBeNull()
    expect(formatSort(null)).toBeNull()
  })
})

describe('a click on a heading', () => {
  test('cycles ascending, descending, off, and restarts on another column', () => {
    const ascending = nextSort(null, 'name')
    const descending = nextSort(ascending, 'name')
    expect(ascending).toEqual({ column: 'name', descending: false })
    expect(descending).toEqual({ column: 'name', descending: true })
    expect(nextSort(descending, 'name')).toBeNull()
    expect(nextSort(descending, 'size')).toEqual({ column: 'size', descending: false })
  })
})

describe('order of values', () => {
  test('puts numbers by size and texts by their numbers and letters, not by code', () => {
    expect([10, 9, 100].toSorted(compareValues)).toEqual([9, 10, 100])
    expect(['task 10', 'Task 9', 'alpha'].toSorted(compareValues)).toEqual(['alpha', 'Task 9', 'task 10'])
  })
})
