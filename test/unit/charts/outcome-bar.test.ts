import { describe, expect, test } from 'vitest'
import { OutcomeBar, outcomeBarTable } from '../../../src/charts/outcome-bar.ts'
import { byTag, coordinates, draw, heightOf, numberOf } from './draw.ts'

const outcomes = [
  { label: 'scored', count: 1300, tone: 'pass' as const, sign: 'full' as const },
  { label: 'failed', count: 0, tone: 'fail' as const, sign: 'crossed' as const },
  { label: 'missing', count: 19, tone: 'human' as const, sign: 'full' as const },
]

describe('OutcomeBar', () => {
  const drawing = draw(OutcomeBar({ title: 'Outcomes', outcomes, width: 640 }))

  test('names every outcome that occurs, with count and share', () => {
    expect(drawing.texts).toEqual(['scored 1,300 (98.6 %)', 'missing 19 (1.4 %)'])
  })

  test('divides the bar in proportion and leaves no gap', () => {
    const bars = byTag(drawing, 'rect').filter(rect => rect.attributes['height'] === 22)
    const widths = bars.map(bar => numberOf(bar, 'width'))
    expect(widths[0]).toBeCloseTo((640 * 1300) / 1319, 1)
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(640, 1)
  })

  test('breaks the words into lines that fit', () => {
    const many = Array.from({ length: 8 }, (_, index) => ({
      label: `outcome number ${index}`,
      count: 10,
      tone: 'neutral' as const,
      sign: 'hollow' as const,
    }))
    const drawn = draw(OutcomeBar({ title: 'Outcomes', outcomes: many, width: 300 }))
    const ys = byTag(drawn, 'text').map(text => numberOf(text, 'y'))
    expect(new Set(ys).size).toBeGreaterThan(3)
    expect(Math.max(...ys)).toBeLessThan(heightOf(drawn))
  })

  test('says that there is no data, and ignores what is not a count', () => {
    expect(draw(OutcomeBar({ title: 'x', outcomes: [] })).texts).toEqual(['No data: nothing to count'])
    expect(draw(OutcomeBar({ title: 'x', outcomes: [{ label: 'a', count: 0, tone: 'pass', sign: 'full' }] })).texts).toEqual([
      'No data: nothing to count',
    ])
    const broken = draw(OutcomeBar({ title: 'x', outcomes: [...outcomes, { label: 'odd', count: Number.NaN, tone: 'fail', sign: 'cut' }] }))
    expect(coordinates(broken).every(Number.isFinite)).toBe(true)
    expect(broken.texts).toEqual(drawing.texts)
  })
})

test('its table has every outcome, those that did not occur too', () => {
  expect(outcomeBarTable({ title: 'Outcomes', outcomes }).rows).toEqual([
    ['scored', '1,300', '98.6 %'],
    ['failed', '0', '0.0 %'],
    ['missing', '19', '1.4 %'],
  ])
})
