import { max } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { createElement as h, type ReactElement } from 'react'
import { formatCompact, formatCount } from '../lib/format/numbers.ts'
import { formatEstimate, formatInterval, formatPercent } from '../lib/format/percent.ts'
import { bottomAxis, leftAxis, percentTick } from './axes.ts'
import { ink, seriesColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, frame, noData, px } from './frame.ts'
import { columnWidth, fittedText, spread } from './labels.ts'
import { wilsonBand } from './wilson-band.ts'

export interface CumulativePoint {
  /** Scored samples so far. */
  readonly n: number
  /** Their mean, in [0, 1]. */
  readonly mean: number
}

export interface CumulativeSeries {
  readonly label: string
  /** By rising n. */
  readonly points: readonly CumulativePoint[]
  /** Whether a Wilson band is true of it: each value is 0 or 1, and no task comes twice. */
  readonly band: boolean
}

export interface CumulativeScoreProps extends ChartProps {
  readonly series: readonly CumulativeSeries[]
}

const height = 240
const top = 10
const bottom = height - 38
const left = 48
/** More points than this change no pixel. */
const mostPoints = 240
/** More bands than this hide each other. */
const mostBands = 3

/** How scores settled as samples arrived, with the 95 % Wilson band that each had at each moment; lines alone where they are many. */
export function CumulativeScore({ title, series: given, width = defaultWidth }: CumulativeScoreProps): ReactElement {
  const series = given.map(one => ({ ...one, points: thin(one.points.filter(drawablePoint)) })).filter(one => one.points.length > 0)
  const most = max(series, one => one.points.at(-1)?.n)
  if (most === undefined) return noData(title, width, 'no sample has a score yet')
  const figures = series.map(seriesFigures)
  const labelRoom = columnWidth([...figures, ...series.map(one => one.label)], width * 0.36, 11)
  const right = width - labelRoom - 26
  const x = scaleLinear([0, most], [left, right])
  const y = scaleLinear([0, 1], [bottom, top])
  const labelY = spread(
    series.map(one => y(one.points.at(-1)?.mean ?? 0)),
    30,
    top + 6,
    bottom - 12,
  )
  return frame(
    { title, description: series.map((one, index) => `${one.label} ${figures[index]}`).join('; '), width, height },
    leftAxis({ scale: y, format: percentTick, ticks: 5, from: left, to: right }),
    bottomAxis({ scale: x, format: formatCompact, ticks: 5, y: bottom, top: bottom, from: left, to: right }),
    h('text', { x: px((left + right) / 2), y: height - 6, textAnchor: 'middle', fontSize: 11, fill: ink }, 'samples scored'),
    ...series
      .slice(0, series.length > mostBands ? 0 : mostBands)
      .map((one, index) => h('path', { key: `band ${index}`, d: bandPath(one, x, y), fill: seriesColor(index), fillOpacity: 0.15 })),
    ...series.map((one, index) =>
      h(
        'g',
        { key: `line ${index}` },
        h('path', { d: linePath(one.points, x, y), fill: 'none', stroke: seriesColor(index), strokeWidth: 1.8 }),
        h('circle', { cx: px(x(one.points.at(-1)?.n ?? 0)), cy: px(y(one.points.at(-1)?.mean ?? 0)), r: 3, fill: seriesColor(index) }),
        h('circle', { cx: px(right + 13), cy: px(labelY[index] ?? 0), r: 3.5, fill: seriesColor(index) }),
        fittedText(one.label, labelRoom + 4, {
          x: px(right + 21),
          y: px((labelY[index] ?? 0) + 4),
          fontSize: 11,
          fill: ink,
          fontWeight: 500,
        }),
        h('text', { x: px(right + 21), y: px((labelY[index] ?? 0) + 18), fontSize: 11, fill: ink }, figures[index]),
      ),
    ),
  )
}

/** Ten moments of each series, the last one among them. */
export function cumulativeScoreTable({ title, series }: CumulativeScoreProps): ChartTable {
  return {
    caption: title,
    columns: [
      { label: 'Series', numeric: false },
      { label: 'Samples', numeric: true },
      { label: 'Mean', numeric: true },
      { label: '95 % band', numeric: true },
    ],
    rows: series.flatMap(one =>
      thin(one.points.filter(drawablePoint), 10).map(point => [
        one.label,
        formatCount(point.n),
        formatPercent(point.mean),
        formatInterval(one.band ? wilsonBand(point.mean, point.n) : null),
      ]),
    ),
  }
}

function drawablePoint({ n, mean }: CumulativePoint): boolean {
  return Number.isFinite(n) && n > 0 && mean >= 0 && mean <= 1
}

/** Indices of at most `count` of so many points, evenly chosen, always with the last. */
export function evenly(length: number, count = mostPoints): number[] {
  if (length <= count) return Array.from({ length }, (_, index) => index)
  const step = length / count
  return Array.from({ length: count }, (_, index) => Math.ceil((index + 1) * step) - 1)
}

function thin(points: readonly CumulativePoint[], count?: number): CumulativePoint[] {
  return evenly(points.length, count).flatMap(index => points[index] ?? [])
}

/** The last value of a series. */
function seriesFigures({ points, band }: CumulativeSeries): string {
  const last = points.at(-1)
  if (last === undefined) return ''
  return formatEstimate({ mean: last.mean, n: last.n, interval: band ? wilsonBand(last.mean, last.n) : null })
}

function linePath(points: readonly CumulativePoint[], x: (n: number) => number, y: (mean: number) => number): string {
  const path = line<CumulativePoint>(
    point => x(point.n),
    point => y(point.mean),
  ).digits(2)
  return path(points) ?? ''
}

function bandPath({ points, band }: CumulativeSeries, x: (n: number) => number, y: (mean: number) => number): string {
  if (!band) return ''
  const path = area<CumulativePoint>(
    point => x(point.n),
    point => y(wilsonBand(point.mean, point.n)?.low ?? point.mean),
    point => y(wilsonBand(point.mean, point.n)?.high ?? point.mean),
  ).digits(2)
  return path(points) ?? ''
}
