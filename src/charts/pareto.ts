import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatEstimate } from '../lib/format/percent.ts'
import { showHidden } from '../lib/format/visible-text.ts'
import { bottomAxis, leftAxis, percentTick } from './axes.ts'
import { baseline, ink, inkMuted, seriesColor, surface } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, finite, frame, linked, noData, px } from './frame.ts'
import { drawable, type IntervalFigures, intervalCells, intervalColumns } from './interval-marks.ts'
import { columnWidth, fittedText, spread } from './labels.ts'

export interface ParetoPoint extends IntervalFigures {
  /** What it takes: less is better. Null where it is not known, and then it is only in the table. */
  readonly takes: number | null
  /** No other one is at least as good in all respects and better in one. */
  readonly onFront: boolean
  readonly series: number | 'baseline'
}

export interface ParetoProps extends ChartProps {
  readonly points: readonly ParetoPoint[]
  /** What is on the horizontal axis, with its unit: `cost per sample`. */
  readonly takesLabel: string
  readonly format: (takes: number) => string
}

const height = 260
const top = 14
const bottom = height - 40
const left = 52
const radius = 5

/** Quality with its interval against what it takes. A line joins those that no other beats in both of the two that are drawn. */
export function Pareto({ title, points: given, takesLabel, format, width = defaultWidth }: ParetoProps): ReactElement {
  const gap = paretoGap({ points: given, takesLabel, format })
  if (gap !== null) return noData(title, width, gap)
  const points = drawnPoints(given)
  const most = Math.max(...points.map(point => point.takes))
  const labelRoom = columnWidth(
    points.map(point => point.label),
    width * 0.3,
    11,
  )
  const right = width - labelRoom - 28
  const x = scaleLinear([0, most * 1.04], [left, right]).nice(5)
  const y = scaleLinear(
    [Math.min(...points.map(point => point.low ?? point.mean)), Math.max(...points.map(point => point.high ?? point.mean))],
    [bottom, top],
  ).nice(5)
  const labelY = spread(
    points.map(point => y(point.mean)),
    16,
    top + 4,
    bottom - 4,
  )
  return frame(
    {
      title,
      description: points.map(point => pointText(point, format)).join('; '),
      width,
      height,
      interactive: points.some(({ href }) => href !== undefined),
    },
    leftAxis({ scale: y, format: percentTick, ticks: 5, from: left, to: right }),
    bottomAxis({ scale: x, format, ticks: 5, y: bottom, top, from: left, to: right }),
    h(
      'text',
      { x: px((left + right) / 2), y: height - 6, textAnchor: 'middle', fontSize: 11, fill: inkMuted },
      `${takesLabel}, less is better`,
    ),
    frontLine(points, x, y),
    ...points.map((point, index) => {
      const color = colorOf(point.series)
      const [at, mean] = [px(x(point.takes)), px(y(point.mean))]
      const label = px((labelY[index] ?? 0) + 4)
      const mark = h(
        'g',
        { key: index },
        h('title', null, pointText(point, format)),
        h('path', {
          d: `M${at + radius + 2} ${mean}L${px(right + 6)} ${label - 4}`,
          stroke: color,
          strokeWidth: 0.75,
          strokeDasharray: '1 3',
          fill: 'none',
        }),
        point.low === null || point.high === null
          ? null
          : h('path', { d: `M${at} ${px(y(point.low))}V${px(y(point.high))}`, stroke: color, strokeWidth: 2 }),
        h('circle', { cx: at, cy: mean, r: radius, fill: point.onFront ? color : surface, stroke: color, strokeWidth: 2 }),
        fittedText(point.label, labelRoom + 8, {
          x: px(right + 10),
          y: label,
          fontSize: 11,
          fill: ink,
          fontWeight: point.onFront ? 600 : 400,
        }),
      )
      return linked(point.href, pointText(point, format), mark)
    }),
  )
}

/** Why there is nothing to draw; null where there is something. */
export function paretoGap({ points, takesLabel, format }: Pick<ParetoProps, 'points' | 'takesLabel' | 'format'>): string | null {
  const drawn = drawnPoints(points)
  if (drawn.length === 0) return `${takesLabel} is not known`
  return drawn.every(({ takes }) => takes <= 0) ? `${takesLabel} is ${format(0)} for all` : null
}

export function paretoTable({ title, points, takesLabel, format }: ParetoProps): ChartTable {
  return {
    caption: title,
    columns: [
      { label: 'Name', numeric: false },
      ...intervalColumns,
      { label: takesLabel, numeric: true },
      { label: 'On the front', numeric: false },
    ],
    rows: points
      .map(drawable)
      .map(point => [
        point.label,
        ...intervalCells(point),
        finite(point.takes) === null ? 'not known' : format(finite(point.takes) ?? 0),
        point.onFront ? 'yes' : 'no',
      ]),
    hrefs: points.map(({ href }) => href),
  }
}

interface DrawnPoint extends ParetoPoint {
  readonly takes: number
  readonly mean: number
}

function drawnPoints(points: readonly ParetoPoint[]): DrawnPoint[] {
  return points.map(drawable).flatMap(point => {
    const takes = finite(point.takes)
    return takes === null || point.mean === null ? [] : [{ ...point, takes, mean: point.mean }]
  })
}

function frontLine(points: readonly DrawnPoint[], x: (takes: number) => number, y: (mean: number) => number): ReactElement | null {
  const front = points.filter(one => !points.some(other => beats(other, one))).toSorted((a, b) => a.takes - b.takes || a.mean - b.mean)
  if (front.length < 2) return null
  return h('path', {
    d: `M${front.map(point => `${px(x(point.takes))} ${px(y(point.mean))}`).join('L')}`,
    stroke: inkMuted,
    strokeDasharray: '4 3',
    fill: 'none',
  })
}

function beats(one: DrawnPoint, other: DrawnPoint): boolean {
  return one.takes <= other.takes && one.mean >= other.mean && (one.takes < other.takes || one.mean > other.mean)
}

function pointText({ label, n, mean, low, high, takes, onFront }: DrawnPoint, format: ParetoProps['format']): string {
  const interval = low === null || high === null ? null : { low, high }
  return `${showHidden(label)}: ${formatEstimate({ mean, n, interval })} at ${format(takes)}${onFront ? ', on the front' : ''}`
}

function colorOf(series: ParetoPoint['series']): string {
  return series === 'baseline' ? baseline : seriesColor(series)
}
