import { describe, expect, test } from 'vitest'
import { Sparkline, sparklineTable } from '../../../src/charts/sparkline.ts'
import { formatPercent } from '../../../src/lib/format/percent.ts'
import { byTag, childText, coordinates, draw, numberOf } from './draw.ts'

const format = (value: number) => formatPercent(value)

describe('Sparkline', () => {
  test('says in words where it went', () => {
    const { root } = draw(Sparkline({ title: 'Last runs', values: [0.4, 0.6, 0.5], format }))
    expect(childText(root, 'desc')).toBe('3 values from 40.0 % to 60.0 %, last 50.0 %')
  })

  test('leaves gaps where values are missing', () => {
    const drawing = draw(Sparkline({ title: 'x', values: [1, 2, null, 3, Number.NaN, 4], format }))
    expect(String(byTag(drawing, 'path')[0]?.attributes['d']).match(/M/g)).toHaveLength(3)
    expect(coordinates(drawing).every(Number.isFinite)).toBe(true)
  })

  test('draws one value and equal values in the middle', () => {
    for (const values of [[5], [5, 5, 5]]) {
      const drawing = draw(Sparkline({ title: 'x', values, format }))
      expect(numberOf(byTag(drawing, 'circle')[0], 'cy')).toBe(12)
    }
  })

  test('says that there is no data', () => {
    expect(draw(Sparkline({ title: 'x', values: [null, Number.NaN], format })).texts).toEqual(['no data'])
  })

  test('has a table with its gaps', () => {
    expect(sparklineTable({ title: 'x', values: [0.5, null], format }).rows).toEqual([
      ['1', '50.0 %'],
      ['2', '–'],
    ])
  })
})
