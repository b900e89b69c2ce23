import { describe, expect, test } from 'vitest'
import { PairedDifference, pairedDifferenceTable } from '../../../src/charts/paired-difference.ts'
import { byTag, childText, coordinates, draw, numberOf } from './draw.ts'

const row = { label: 'GSM8K', detail: 'Exact match', n: 1319, difference: 0.031, low: 0.008, high: 0.054, detectable: 0.021 }
const worse = { label: 'MMLU', n: 500, difference: -0.04, low: -0.08, high: 0, series: 1 }
const props = { title: 'Differences', baseline: 'Model A', groups: [{ heading: null, rows: [row, worse] }] }

describe('PairedDifference', () => {
  const drawing = draw(PairedDifference(props))

  test('is named and described from within', () => {
    expect(childText(drawing.root, 'title')).toBe('Differences')
    expect(childText(drawing.root, 'desc')).toBe(
      'Against Model A: GSM8K, Exact match +3.1 points [+0.8, +5.4] (n = 1,319); MMLU −4.0 points [−8.0, 0.0] (n = 500)',
    )
  })

  test('draws the baseline as the gray line of no difference, in the middle', () => {
    const line = byTag(drawing, 'line').find(one => String(one.attributes['stroke']).includes('--chart-baseline'))
    expect(numberOf(line, 'x1')).toBe(numberOf(line, 'x2'))
    const [better, less] = byTag(drawing, 'circle').map(one => numberOf(one, 'cx'))
    expect(better).toBeGreaterThan(numberOf(line, 'x1'))
    expect(less).toBeLessThan(numberOf(line, 'x1'))
    expect(((better ?? 0) - numberOf(line, 'x1')) / (numberOf(line, 'x1') - (less ?? 0))).toBeCloseTo(0.031 / 0.04, 2)
    expect(drawing.texts).toContain('Model A')
  })

  test('shows as a band what would be missed more than one time in five', () => {
    const [band] = byTag(drawing, 'rect')
    const line = byTag(drawing, 'line').find(one => String(one.attributes['stroke']).includes('--chart-baseline'))
    expect(byTag(drawing, 'rect')).toHaveLength(1)
    expect(numberOf(band, 'x') + numberOf(band, 'width') / 2).toBeCloseTo(numberOf(line, 'x1'), 1)
  })

  test('draws the interval before the point', () => {
    const tags = drawing.shapes.map(one => one.tag)
    expect(tags.indexOf('path')).toBe(tags.indexOf('circle') - 1)
  })

  test('has headings over groups', () => {
    const texts = draw(PairedDifference({ ...props, groups: [{ heading: 'topic', rows: [worse] }] })).texts
    expect(texts.indexOf('topic')).toBeLessThan(texts.indexOf('MMLU'))
  })

  test('says that there is no data, and leaves out what is not a number', () => {
    const none = { label: 'a', n: 0, difference: null, low: null, high: null }
    expect(draw(PairedDifference({ ...props, groups: [{ heading: null, rows: [none] }] })).texts).toEqual([
      'No data: no difference could be measured',
    ])
    const broken = { label: 'a\u202e', n: 3, difference: 0, low: Number.NaN, high: 0.1, detectable: Number.POSITIVE_INFINITY }
    const drawn = draw(PairedDifference({ ...props, groups: [{ heading: null, rows: [none, broken] }] }))
    expect(coordinates(drawn).every(Number.isFinite)).toBe(true)
    expect(drawn.texts).toEqual(expect.arrayContaining(['no difference', '0.0 points', 'a⟨U+202E⟩']))
    expect(drawn.shapes.filter(one => 'style' in one.attributes)).toEqual([])
  })
})

test('its table has the same figures', () => {
  const table = pairedDifferenceTable(props)
  expect(table.columns.map(column => column.label)).toEqual(['Name', 'Detail', 'Difference and interval', 'Detectable difference', 'n'])
  expect(table.rows).toEqual([
    ['GSM8K', 'Exact match', '+3.1 points [+0.8, +5.4]', '2.1 points', '1,319'],
    ['MMLU', '', '−4.0 points [−8.0, 0.0]', '–', '500'],
  ])
})
