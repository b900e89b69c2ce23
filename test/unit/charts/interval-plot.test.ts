import { describe, expect, test } from 'vitest'
import { IntervalPlot, intervalPlotTable } from '../../../src/charts/interval-plot.ts'
import { byTag, childText, coordinates, draw, numberOf, textOf } from './draw.ts'

const rows = [
  { label: 'GSM8K', detail: 'Strict match', n: 1319, mean: 0.563, low: 0.536, high: 0.59, chance: 0.25 },
  { label: 'GSM8K', detail: 'Flexible extract', n: 1319, mean: 0.61, low: 0.583, high: 0.636 },
  { label: 'Guessing', n: 100, mean: 0.25, low: 0.17, high: 0.34, series: 'baseline' as const },
]

describe('IntervalPlot', () => {
  const drawing = draw(IntervalPlot({ title: 'Scores', rows }))
  const { root, texts } = drawing

  test('is named and described from within', () => {
    expect(root.attributes['role']).toBe('img')
    expect(childText(root, 'title')).toBe('Scores')
    expect(childText(root, 'desc')).toContain('GSM8K, Strict match: 56.3 % [53.6, 59.0] (n = 1,319)')
  })

  test('labels every row directly with its figures', () => {
    expect(texts).toEqual(expect.arrayContaining(['GSM8K', 'Strict match', '56.3 % [53.6, 59.0] (n = 1,319)', 'chance 25.0 %']))
  })

  test('draws the point on top of the interval', () => {
    const tags = drawing.shapes.map(one => one.tag)
    expect(tags.indexOf('path')).toBe(tags.indexOf('circle') - 1)
  })

  test('puts the point where the score is on the axis', () => {
    const [first, second] = byTag(drawing, 'circle').map(circle => numberOf(circle, 'cx'))
    const axis = byTag(drawing, 'line').find(line => numberOf(line, 'x2') - numberOf(line, 'x1') > 100)
    const from = numberOf(axis, 'x1')
    const to = numberOf(axis, 'x2')
    expect(((first ?? 0) - from) / (to - from)).toBeCloseTo(0.563, 3)
    expect(((second ?? 0) - from) / (to - from)).toBeCloseTo(0.61, 3)
  })

  test('grays the baseline', () => {
    const fills = byTag(drawing, 'circle').map(circle => circle.attributes['fill'])
    expect(fills[0]).toContain('--chart-series-1')
    expect(fills[2]).toContain('--chart-baseline')
  })

  test('has no style attribute, which the policy of reports would block', () => {
    expect(drawing.shapes.filter(one => 'style' in one.attributes)).toEqual([])
  })

  test('says that there is no data', () => {
    const empty = [{ label: 'a', n: 0, mean: null, low: null, high: null }]
    expect(draw(IntervalPlot({ title: 'Scores', rows: [] })).texts).toEqual(['No data: nothing has a score'])
    expect(draw(IntervalPlot({ title: 'Scores', rows: empty })).texts).toEqual(['No data: nothing has a score'])
  })

  test('leaves out what is not a number and keeps the rest', () => {
    const broken = [
      { label: 'a', n: 10, mean: 0.5, low: Number.NaN, high: 0.7, chance: Number.NaN },
      { label: 'b', n: 10, mean: Number.POSITIVE_INFINITY, low: 0.1, high: 0.2 },
    ]
    const drawn = draw(IntervalPlot({ title: 'Scores', rows: broken }))
    expect(coordinates(drawn).every(Number.isFinite)).toBe(true)
    expect(drawn.texts).toEqual(expect.arrayContaining(['50.0 % (n = 10)', 'no score (n = 10)']))
  })

  test('shows hidden characters and cuts long labels without losing them', () => {
    const long = `evil\u202e${'x'.repeat(200)}`
    const drawn = draw(IntervalPlot({ title: 'a\u202eb', rows: [{ label: long, n: 1, mean: 1, low: null, high: null }] }))
    expect(JSON.stringify(drawn.root)).not.toContain('\u202e')
    expect(drawn.texts.some(text => text.startsWith('evil⟨U+202E⟩xx') && text.includes('…') && text.length < 60)).toBe(true)
    expect(byTag(drawn, 'title').map(textOf)).toContain(`evil⟨U+202E⟩${'x'.repeat(200)}`)
  })
})

test('its table has the same figures', () => {
  expect(intervalPlotTable({ title: 'Scores', rows })).toEqual({
    caption: 'Scores',
    hrefs: [undefined, undefined, undefined],
    columns: [
      { label: 'Name', numeric: false },
      { label: 'Detail', numeric: false },
      { label: 'Score', numeric: true },
      { label: 'Interval', numeric: true },
      { label: 'n', numeric: true },
      { label: 'Chance level', numeric: true },
    ],
    rows: [
      ['GSM8K', 'Strict match', '56.3 %', '53.6 to 59.0 %', '1,319', '25.0 %'],
      ['GSM8K', 'Flexible extract', '61.0 %', '58.3 to 63.6 %', '1,319', '–'],
      ['Guessing', '', '25.0 %', '17.0 to 34.0 %', '100', '–'],
    ],
  })
})
