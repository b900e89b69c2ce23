import { describe, expect, test } from 'vitest'
import { mostRuns, readIds, toggled } from '../../../../src/renderer/comparisons/use-selection.ts'

const id = (number: number) => `0190aaaa-0000-7000-8000-${String(number).padStart(12, '0')}`

describe('the runs of an address', () => {
  test('are read in order, each once, without what is no id', () => {
    expect(readIds(`${id(2)},${id(1)},${id(2).toUpperCase()},<script>,,7`)).toEqual([id(2), id(1)])
    expect(readIds('')).toEqual([])
  })

  test('are no more than a comparison holds', () => {
    const many = Array.from({ length: 14 }, (_, index) => id(index))
    expect(readIds(many.join(','))).toEqual(many.slice(0, mostRuns))
    expect(toggled(many.slice(0, mostRuns), id(99))).toHaveLength(mostRuns)
  })

  test('are put in and taken out by the same step', () => {
    expect(toggled([id(1)], id(2))).toEqual([id(1), id(2)])
    expect(toggled([id(1), id(2)], id(1))).toEqual([id(2)])
  })
})
