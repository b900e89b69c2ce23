import { describe, expect, it } from 'vitest'
import { BreakdownPlot, breakdownPlotTable } from '../../../src/charts/breakdown-plot.ts'
import { byTag, coordinates, draw, heightOf, numberOf } from './draw.ts'

const groups = [
  {
    dimension: 'subject',
    rows: [
      { label: 'algebra', n: 40, mean: 0.5, low: 0.35, high: 0.65 },
      { label: 'geometry', n: 20, mean: 0.9, low: 0.7, high: 0.97 },
    ],
  },
  { dimension: 'level', rows: [{ label: '5', n: 60, mean: 0.63, low: 0.51, high: 0.74 }] },
]

describe('BreakdownPlot', () => {
  const drawing = draw(BreakdownPlot({ title: 'MATH', groups, overall: 0.63 }))

  it('heads each dimension and labels each row with its figures', () => {
    expect(drawing.texts).toEqual(
      expect.arrayContaining(['subject', 'algebra', '50.0 % [35.0, 65.0] (n = 40)', 'level', '5', 'overall 63.0 %']),
    )
  })

  it('gives every row its own line, in order', () => {
    const ys = byTag(drawing, 'circle').map(circle => numberOf(circle, 'cy'))
    expect(ys).toHaveLength(3)
    expect(ys).toEqual(ys.toSorted((a, b) => a - b))
    expect(Math.min(...ys.slice(1).map((y, index) => y - (ys[index] ?? 0)))).toBeGreaterThanOrEqual(20)
  })

  it('draws each score as a bar from nothing, on the same axis', () => {
    const widths = byTag(drawing, 'rect').map(rect => numberOf(rect, 'width'))
    expect(widths.map(width => width / (widths[0] ?? 0))).toEqual([1, expect.closeTo(1.8), expect.closeTo(1.26)])
  })

  it('leads from each row to what it counts, past the Tab key where there are many', () => {
    const linkedRows = (count: number) => [
      {
        dimension: 'd',
        rows: Array.from({ length: count }, (_, i) => ({ label: `${i}`, n: 9, mean: 0.5, low: 0.2, high: 0.8, href: `/${i}` })),
      },
    ]
    const links = (count: number) => byTag(draw(BreakdownPlot({ title: 'x', groups: linkedRows(count) })), 'a')
    expect(links(2).map(({ attributes }) => [attributes['href'], attributes['aria-label'], attributes['tabIndex']])).toEqual([
      ['/0', 'd 0: 50.0 % ± 30.0 (n = 9)', undefined],
      ['/1', 'd 1: 50.0 % ± 30.0 (n = 9)', undefined],
    ])
    expect(new Set(links(21).map(({ attributes }) => attributes['tabIndex']))).toEqual(new Set([-1]))
    expect(breakdownPlotTable({ title: 'x', groups: linkedRows(2) }).hrefs).toEqual(['/0', '/1'])
  })

  it('is high enough for all rows', () => {
    const many = [
      {
        dimension: 'topic',
        rows: Array.from({ length: 300 }, (_, index) => ({ label: `${index}`, n: 1, mean: 1, low: null, high: null })),
      },
    ]
    const drawn = draw(BreakdownPlot({ title: 'Many', groups: many }))
    expect(Math.max(...byTag(drawn, 'circle').map(circle => numberOf(circle, 'cy')))).toBeLessThan(heightOf(drawn))
  })

  it('says that there is no data', () => {
    expect(draw(BreakdownPlot({ title: 'x', groups: [] })).texts).toEqual(['No data: no part has a score'])
  })

  it('draws no NaN', () => {
    const broken = [
      {
        dimension: 'd',
        rows: [
          { label: 'a', n: 1, mean: 0.5, low: Number.NaN, high: 1 },
          { label: 'b', n: 1, mean: Number.NaN, low: 0, high: 1 },
        ],
      },
    ]
    expect(coordinates(draw(BreakdownPlot({ title: 'x', groups: broken, overall: Number.NaN }))).every(Number.isFinite)).toBe(true)
  })
})

it('its table names the dimension in every row', () => {
  expect(breakdownPlotTable({ title: 'MATH', groups }).rows).toEqual([
    ['subject', 'algebra', '50.0 %', '35.0 to 65.0 %', '40'],
    ['subject', 'geometry', '90.0 %', '70.0 to 97.0 %', '20'],
    ['level', '5', '63.0 %', '51.0 to 74.0 %', '60'],
  ])
})
