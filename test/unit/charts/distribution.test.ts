import { describe, expect, test } from 'vitest'
import { Distribution, distributionTable, histogram } from '../../../src/charts/distribution.ts'
import { formatDuration } from '../../../src/lib/format/time.ts'
import { byTag, childText, coordinates, draw } from './draw.ts'

const values = Array.from({ length: 1000 }, (_, index) => 500 + index)
const format = formatDuration
const countOf = (table: ReturnType<typeof distributionTable>) =>
  table.rows.reduce((sum, row) => sum + Number((row[2] ?? '').replace(',', '')), 0)

describe('Distribution', () => {
  test('marks the median and the 95th percentile', () => {
    const { texts } = draw(Distribution({ title: 'Latency', shape: histogram(values), format }))
    expect(texts).toEqual(expect.arrayContaining(['median 1.0 s', 'p95 1.4 s']))
  })

  test('labels an axis of less than a unit without saying a value twice', () => {
    const { texts } = draw(Distribution({ title: 'Latency', shape: histogram([0, 0, 0.4, 0.9, 1]), format }))
    const ticks = texts.filter(text => /^\d+ ms$/.test(text))
    expect(ticks).toEqual([...new Set(ticks)])
    expect(ticks.length).toBeGreaterThan(0)
  })

  test.each([[[3]], [[1, 2, 3]], [[1, 1, 5]], [[1, 1, 1, 5, 5]]])('counts in whole numbers, for few values as well: %j', few => {
    const { texts } = draw(Distribution({ title: 'Tokens', shape: histogram(few), format: value => `${value} tokens` }))
    const counts = texts.filter(text => /^[\d.]+$/.test(text)).map(Number)
    expect(counts).toEqual(Array.from({ length: counts.length }, (_, i) => i))
    expect(counts.length).toBeGreaterThan(1)
  })

  test('counts every value once', () => {
    expect(countOf(distributionTable({ title: 'Latency', shape: histogram(values), format }))).toBe(1000)
    expect(countOf(distributionTable({ title: 'Latency', shape: histogram([0, 0, 10, 10, 10]), format }))).toBe(5)
  })

  test('keeps far outliers from flattening the rest, and says so', () => {
    const withOutliers = [...values, 90_000, 95_000]
    const { texts, root } = draw(Distribution({ title: 'Latency', shape: histogram(withOutliers), format }))
    expect(texts).toContain('2 beyond, up to 1 min 35 s')
    expect(childText(root, 'desc')).toContain('The last bar holds 2 beyond the axis.')
    expect(countOf(distributionTable({ title: 'Latency', shape: histogram(withOutliers), format }))).toBe(1002)
    expect(distributionTable({ title: 'Latency', shape: histogram(withOutliers), format }).rows.at(-1)?.[1]).toBe('1 min 35 s')
  })

  test.each([
    ['one value', [5]],
    ['equal values', [7, 7, 7]],
    ['zeros', [0, 0]],
    ['negative values', [-5, 3]],
    ['values that are not numbers among others', [1, Number.NaN, Number.POSITIVE_INFINITY, 2]],
  ])('draws %s without NaN', (_name, some) => {
    const drawing = draw(Distribution({ title: 'x', shape: histogram(some), format }))
    expect(coordinates(drawing).every(Number.isFinite)).toBe(true)
    expect(byTag(drawing, 'rect').length).toBeGreaterThan(0)
  })

  test('says that there is no data', () => {
    expect(draw(Distribution({ title: 'x', shape: histogram([]), format })).texts).toEqual(['No data: no values'])
    expect(draw(Distribution({ title: 'x', shape: histogram([Number.NaN]), format })).texts).toEqual(['No data: no values'])
    expect(distributionTable({ title: 'x', shape: histogram([]), format }).rows).toEqual([])
  })
})

test('leads from each bar to what it counts, the last one without an end', () => {
  const hrefOf = (from: number, to: number | null): string => `/s?min=${from}&max=${to ?? 'none'}`
  const drawing = draw(Distribution({ title: 'Latency', shape: histogram([1, 2, 3, 10]), format: String, hrefOf }))
  const links = byTag(drawing, 'a')
  expect(drawing.root.attributes['role']).toBe('group')
  expect(links.length).toBeGreaterThan(1)
  expect(links.map(link => link.attributes['href'])).toContainEqual(expect.stringMatching(/^\/s\?min=\d+(\.\d+)?&max=none$/))
  expect(draw(Distribution({ title: 'Latency', shape: histogram([1, 2]), format: String })).root.attributes['role']).toBe('img')
  // A keyboard reaches by the table what the Tab key skips in the drawing.
  const table = distributionTable({ title: 'Latency', shape: histogram([1, 2, 3, 10]), format: String, hrefOf })
  expect(table.hrefs?.filter(href => href !== undefined)).toEqual(byTag(drawing, 'a').map(({ attributes }) => attributes['href']))
})
