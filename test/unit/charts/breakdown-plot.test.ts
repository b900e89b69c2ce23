import { describe, expect, test } from 'vitest'
import { BreakdownPlot, breakdownPlotTable } from '../../../src/charts/breakdown-plot.ts'
import { textWidth } from '../../../src/charts/labels.ts'
import { byTag, childText, coordinates, draw, heightOf, numberOf, textOf } from './draw.ts'

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

  test('heads each dimension and labels each row with its figures', () => {
    expect(drawing.texts).toEqual(
      expect.arrayContaining(['subject', 'algebra', '50.0 % [35.0, 65.0] (n = 40)', 'level', '5', 'overall 63.0 %']),
    )
  })

  test('gives every row its own line, in order', () => {
    const ys = byTag(drawing, 'circle').map(circle => numberOf(circle, 'cy'))
    expect(ys).toHaveLength(3)
    expect(ys).toEqual(ys.toSorted((a, b) => a - b))
    expect(Math.min(...ys.slice(1).map((y, index) => y - (ys[index] ?? 0)))).toBeGreaterThanOrEqual(20)
  })

  test('draws each score as a bar from nothing, on the same axis', () => {
    const widths = byTag(drawing, 'rect').map(rect => numberOf(rect, 'width'))
    expect(widths.map(width => width / (widths[0] ?? 0))).toEqual([1, expect.closeTo(1.8), expect.closeTo(1.26)])
  })

  test('leads from each row to what it counts, past the Tab key where there are many', () => {
    const linkedRows = (count: number) => [
      {
        dimension: 'd',
        rows: Array.from({ length: count }, (_, i) => ({ label: `${i}`, n: 9, mean: 0.5, low: 0.2, high: 0.8, href: `/${i}` })),
      },
    ]
    const links = (count: number) => byTag(draw(BreakdownPlot({ title: 'x', groups: linkedRows(count) })), 'a')
    expect(links(2).map(link => [link.attributes['href'], childText(link, 'title'), link.attributes['tabIndex']])).toEqual([
      ['/0', '0: 50.0 % ± 30.0 (n = 9), by d', undefined],
      ['/1', '1: 50.0 % ± 30.0 (n = 9), by d', undefined],
    ])
    expect(new Set(links(21).map(({ attributes }) => attributes['tabIndex']))).toEqual(new Set([-1]))
    expect(breakdownPlotTable({ title: 'x', groups: linkedRows(2) }).hrefs).toEqual(['/0', '/1'])
  })

  test.each([280, 320, 480, 760, 1600])('keeps the labels of its axis apart at %i pixels', width => {
    const drawn = draw(BreakdownPlot({ title: 'x', width, groups }))
    const ticks = byTag(drawn, 'text')
      .filter(text => /^[\d.]+ %$/.test(textOf(text)))
      .map(text => ({ at: numberOf(text, 'x'), reach: textWidth(textOf(text), 11) / 2 }))
    expect(ticks.length).toBeGreaterThan(1)
    for (const [index, { at, reach }] of ticks.slice(1).entries()) {
      expect(at - reach).toBeGreaterThan((ticks[index]?.at ?? 0) + (ticks[index]?.reach ?? 0))
    }
  })

  test('is high enough for all rows', () => {
    const many = [
      {
        dimension: 'topic',
        rows: Array.from({ length: 300 }, (_, index) => ({ label: `${index}`, n: 1, mean: 1, low: null, high: null })),
      },
    ]
    const drawn = draw(BreakdownPlot({ title: 'Many', groups: many }))
    expect(Math.max(...byTag(drawn, 'circle').map(circle => numberOf(circle, 'cy')))).toBeLessThan(heightOf(drawn))
  })

  test('says that there is no data', () => {
    expect(draw(BreakdownPlot({ title: 'x', groups: [] })).texts).toEqual(['No data: no part has a score'])
  })

  test('draws no NaN', () => {
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

test('its table names the dimension in every row', () => {
  expect(breakdownPlotTable({ title: 'MATH', groups }).rows).toEqual([
    ['subject', 'algebra', '50.0 %', '35.0 to 65.0 %', '40'],
    ['subject', 'geometry', '90.0 %', '70.0 to 97.0 %', '20'],
    ['level', '5', '63.0 %', '51.0 to 74.0 %', '60'],
  ])
})
