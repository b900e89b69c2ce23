import { describe, expect, test } from 'vitest'
import { Pareto, paretoTable } from '../../../src/charts/pareto.ts'
import { byTag, childText, coordinates, draw, numberOf } from './draw.ts'

const point = (label: string, takes: number | null, mean: number | null, onFront: boolean, series: number | 'baseline' = 0) => ({
  label,
  n: 100,
  mean,
  low: mean === null ? null : mean - 0.05,
  high: mean === null ? null : mean + 0.05,
  takes,
  onFront,
  series,
})
const props = {
  title: 'Quality and cost',
  takesLabel: 'cost per sample',
  format: (takes: number) => `$${takes}`,
  points: [point('Base', 2, 0.5, false, 'baseline'), point('Cheap', 1, 0.6, true), point('Best', 4, 0.8, true, 1)],
}

describe('Pareto', () => {
  const drawing = draw(Pareto(props))

  test('puts better up and dearer to the right', () => {
    const [base, cheap, best] = byTag(drawing, 'circle')
    expect(numberOf(best, 'cx')).toBeGreaterThan(numberOf(base, 'cx'))
    expect(numberOf(base, 'cx')).toBeGreaterThan(numberOf(cheap, 'cx'))
    expect(numberOf(best, 'cy')).toBeLessThan(numberOf(cheap, 'cy'))
  })

  test('fills what is on the front, grays the baseline, and labels each directly', () => {
    const [base, cheap] = byTag(drawing, 'circle')
    expect(base?.attributes['fill']).toContain('--chart-surface')
    expect(base?.attributes['stroke']).toContain('--chart-baseline')
    expect(cheap?.attributes['fill']).toContain('--chart-series-1')
    expect(drawing.texts).toEqual(expect.arrayContaining(['Base', 'Cheap', 'Best', 'cost per sample, less is better']))
  })

  test('joins those that no other beats', () => {
    const line = byTag(drawing, 'path').find(one => one.attributes['strokeDasharray'] === '4 3')
    const [, cheap, best] = byTag(drawing, 'circle')
    expect(line?.attributes['d']).toBe(
      `M${cheap?.attributes['cx']} ${cheap?.attributes['cy']}L${best?.attributes['cx']} ${best?.attributes['cy']}`,
    )
  })

  test('is described from within', () => {
    expect(childText(drawing.root, 'desc')).toContain('Cheap: 60.0 % ± 5.0 (n = 100) at $1, on the front')
  })

  test('says when nothing is known of what it takes, and when all is free', () => {
    expect(draw(Pareto({ ...props, points: [point('a', null, 0.5, true)] })).texts).toEqual(['No data: cost per sample is not known'])
    expect(draw(Pareto({ ...props, points: [point('a', 0, 0.5, true)] })).texts).toEqual(['No data: cost per sample is $0 for all'])
    const some = draw(Pareto({ ...props, points: [point('a', 0, 0.5, true), point('b', 3, 0.5, true), point('c', Number.NaN, 0.5, true)] }))
    expect(coordinates(some).every(Number.isFinite)).toBe(true)
    expect(byTag(some, 'circle')).toHaveLength(2)
  })
})

test('its table has the same figures, unknown ones too', () => {
  expect(paretoTable({ ...props, points: [...props.points, point('New', null, 0.7, false)] }).rows).toEqual([
    ['Base', '50.0 %', '45.0 to 55.0 %', '100', '$2', 'no'],
    ['Cheap', '60.0 %', '55.0 to 65.0 %', '100', '$1', 'yes'],
    ['Best', '80.0 %', '75.0 to 85.0 %', '100', '$4', 'yes'],
    ['New', '70.0 %', '65.0 to 75.0 %', '100', 'not known', 'no'],
  ])
})
