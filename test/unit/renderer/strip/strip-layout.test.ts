import { describe, expect, test } from 'vitest'
import { countKinds } from '../../../../src/renderer/strip/outcome-kinds.ts'
import { coverOf, layoutStrip, sampleAt } from '../../../../src/renderer/strip/strip-layout.ts'

describe('the strip of samples', () => {
  test('draws few samples large and 100,000 of them one pixel each', () => {
    expect(layoutStrip(50, 1000)).toMatchObject({ cell: 14, rows: 1 })
    expect(layoutStrip(100_000, 1000)).toMatchObject({ cell: 1, columns: 1000, rows: 100 })
  })

  test('finds the sample under a point, and the last one beyond the end', () => {
    const layout = layoutStrip(100, 140)
    expect(layout).toMatchObject({ cell: 14, columns: 10, rows: 10 })
    expect(sampleAt(layout, 100, 15, 29)).toBe(21)
    expect(sampleAt(layout, 95, 139, 139)).toBe(94)
  })

  test('covers a stretch over several rows', () => {
    const layout = layoutStrip(100, 140)
    const cells = coverOf(layout, 8, 31).reduce((sum, { width, height }) => sum + (width * height) / 14 ** 2, 0)
    expect(cells).toBe(24)
    expect(coverOf(layout, 3, 3)).toEqual([{ x: 42, y: 0, width: 14, height: 14 }])
  })

  test('counts the outcomes that occur', () => {
    expect(countKinds('ccw.').map(({ verdict, count }) => [verdict, count])).toEqual([
      ['correct', 2],
      ['wrong', 1],
      ['pending', 1],
    ])
  })
})
