import { describe, expect, test } from 'vitest'
import { CumulativeScore, cumulativeScoreTable } from '../../../src/charts/cumulative-score.ts'
import { byTag, coordinates, draw, numberOf, textOf } from './draw.ts'

const points = Array.from({ length: 5000 }, (_, index) => ({ n: index + 1, mean: 0.5 + 0.4 / (index + 1) }))
const series = [
  { label: 'GSM8K', points, band: true },
  { label: 'IFEval', points: points.slice(0, 900).map(({ n }) => ({ n, mean: 0.501 })), band: false },
]

describe('CumulativeScore', () => {
  const drawing = draw(CumulativeScore({ title: 'Score so far', series }))

  test('labels each line with its last value, with an interval only where a band is valid', () => {
    expect(drawing.texts).toEqual(expect.arrayContaining(['GSM8K', '50.0 % ± 1.4 (n = 5,000)', 'IFEval', '50.1 % (n = 900)']))
  })

  test('draws a band only where one is true', () => {
    const bands = byTag(drawing, 'path')
      .filter(path => 'fillOpacity' in path.attributes)
      .map(path => path.attributes['d'])
    expect(bands[0]).toMatch(/^M.+Z$/)
    expect(bands[1]).toBe('')
  })

  test('draws lines alone where bands would hide each other', () => {
    const four = draw(CumulativeScore({ title: 'x', series: [1, 2, 3, 4].map(index => ({ label: `${index}`, points, band: true })) }))
    expect(byTag(four, 'path').filter(path => 'fillOpacity' in path.attributes)).toEqual([])
    expect(byTag(four, 'path').filter(path => 'stroke' in path.attributes)).toHaveLength(4)
  })

  test('keeps labels of lines that end together apart', () => {
    const labeled = byTag(drawing, 'text').filter(text => textOf(text).includes('n = '))
    const [first = 0, second = 0] = labeled.map(text => numberOf(text, 'y'))
    expect(Math.abs(first - second)).toBeGreaterThanOrEqual(28)
  })

  test('draws no more points than can be seen, and always the last', () => {
    const line = byTag(drawing, 'path').find(path => 'stroke' in path.attributes)
    expect(String(line?.attributes['d']).match(/[ML]/g)?.length).toBe(240)
    expect(
      cumulativeScoreTable({ title: 'x', series })
        .rows.filter(row => row[0] === 'GSM8K')
        .at(-1),
    ).toEqual(['GSM8K', '5,000', '50.0 %', '48.6 to 51.4 %'])
  })

  test('says that there is no data, and skips points that are not scores', () => {
    expect(draw(CumulativeScore({ title: 'x', series: [] })).texts).toEqual(['No data: no sample has a score yet'])
    const broken = [
      {
        label: 'a',
        band: true,
        points: [
          { n: 0, mean: 0 },
          { n: 1, mean: Number.NaN },
          { n: Number.NaN, mean: 0.5 },
        ],
      },
    ]
    expect(draw(CumulativeScore({ title: 'x', series: broken })).texts).toEqual(['No data: no sample has a score yet'])
    const one = draw(
      CumulativeScore({
        title: 'x',
        series: [
          {
            label: 'a',
            band: true,
            points: [
              { n: 1, mean: 1 },
              { n: 2, mean: Number.NaN },
            ],
          },
        ],
      }),
    )
    expect(coordinates(one).every(Number.isFinite)).toBe(true)
    expect(one.texts).toContain('100.0 % [20.7, 100.0] (n = 1)')
  })
})
