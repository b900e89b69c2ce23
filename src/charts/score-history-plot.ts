import { scaleLinear, scaleUtc } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatCount } from '../lib/format/numbers.ts'
import { formatEstimate } from '../lib/format/percent.ts'
import { bottomAxis, leftAxis, percentTick } from './axes.ts'
import { ink, seriesColor, surface, toneColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, finite, frame, linked, mostStops, noData, px } from './frame.ts'
import { fittedText, spread } from './labels.ts'

export interface HistoryPoint {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly label: string
  readonly n: number
  readonly mean: number
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly change: 'regression' | 'improvement' | null
  readonly href?: string
}

export interface HistorySeries {
  readonly label: string
  /** Oldest first. */
  readonly points: readonly HistoryPoint[]
}

interface ScoreHistoryProps extends ChartProps {
  readonly series: readonly HistorySeries[]
}

const height = 280
const [top, bottom, left] = [14, height - 40, 48]
/** Pixels to the right of the last point, for the names of the series. */
const labelRoom = 120
const labelGap = 12
const changeLooks = { regression: toneColor.fail, improvement: toneColor.pass } as const

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)
const dayMs = 86_400_000

/** Days where there are several; else the time of day, with seconds within some minutes. */
function tickOf(span: number): (at: number) => string {
  if (span >= 2 * dayMs) return dayOf
  const end = span >= 600_000 ? 16 : 19
  return at => new Date(at).toISOString().slice(11, end)
}

/** Scores of runs in time with their intervals; a ring marks the runs at which a series has changed. */
export function ScoreHistoryPlot({ title, series: given, width = defaultWidth }: ScoreHistoryProps): ReactElement {
  const series = given.map(one => ({ ...one, points: one.points.filter(({ mean, at }) => finite(mean) !== null && finite(at) !== null) }))
  const all = series.flatMap(({ points }) => points)
  if (all.length === 0) return noData(title, width, 'no run has a score yet')
  const times = all.map(({ at }) => at)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const right = width - labelRoom
  const time = scaleUtc([first, last === first ? first + dayMs : last], [left + 8, right])
  const x = Object.assign((at: number) => time(at), { ticks: (count?: number) => time.ticks(count).map(tick => tick.getTime()) })
  const y = scaleLinear([0, 1], [bottom, top])
  const isSkipped = all.length > mostStops
  // Beside the last point of each line, apart from one another and above the axis.
  const places = spread(
    series.map(({ points }) => y(points.at(-1)?.mean ?? 0) + 4),
    labelGap,
    top + 4,
    bottom - 6,
  )
  return frame(
    { title, description: describe(series), width, height, interactive: all.some(({ href }) => href !== undefined) },
    leftAxis({ scale: y, format: percentTick, ticks: 5, from: left, to: right }),
    bottomAxis({ scale: x, format: tickOf(last - first || dayMs), ticks: 6, y: bottom, top: bottom, from: left, to: right }),
    h('text', { x: px((left + right) / 2), y: height - 6, textAnchor: 'middle', fontSize: 11, fill: ink }, 'end of the run, UTC'),
    ...series.map(({ label, points }, index) => {
      const color = seriesColor(index)
      const end = points.at(-1)
      return h(
        'g',
        { key: `${index} ${label}` },
        h('path', {
          d: `M${points.map(point => `${px(x(point.at))} ${px(y(point.mean))}`).join('L')}`,
          stroke: color,
          strokeWidth: 1.5,
          fill: 'none',
        }),
        ...points.map((point, i) => linked(point.href, describePoint(point), mark(point, { x, y, color, key: i }), isSkipped)),
        end
          ? fittedText(label, width - x(end.at) - 14, {
              x: px(x(end.at) + 10),
              y: px(places[index] ?? y(end.mean)),
              fontSize: 11,
              fill: ink,
            })
          : null,
      )
    }),
  )
}

interface Place {
  readonly x: (at: number) => number
  readonly y: (value: number) => number
  readonly color: string
  readonly key: number
}

function mark(point: HistoryPoint, { x, y, color, key }: Place): ReactElement {
  const { at, mean, interval, change } = point
  const [cx, cy] = [px(x(at)), px(y(mean))]
  return h(
    'g',
    { key },
    h('title', null, describePoint(point)),
    interval === null ? null : h('path', { d: `M${cx} ${px(y(interval.low))}V${px(y(interval.high))}`, stroke: color, strokeWidth: 1.5 }),
    change === null ? null : h('circle', { cx, cy, r: 9, fill: 'none', stroke: changeLooks[change], strokeWidth: 2.5 }),
    h('circle', { cx, cy, r: 4, fill: color, stroke: surface, strokeWidth: 1.5 }),
  )
}

export function scoreHistoryTable({ title, series }: Pick<ScoreHistoryProps, 'title' | 'series'>): ChartTable {
  const rows = series.flatMap(({ label, points }) => points.map(point => ({ label, point })))
  return {
    caption: title,
    columns: [
      { label: 'Model', numeric: false },
      { label: 'Run', numeric: false },
      { label: 'Ended', numeric: false },
      { label: 'Change', numeric: false },
      { label: 'Score', numeric: true },
      { label: 'n', numeric: true },
    ],
    rows: rows.map(({ label, point }) => [
      label,
      point.label,
      dayOf(point.at),
      point.change ?? 'none',
      formatEstimate(point, true),
      formatCount(point.n),
    ]),
    hrefs: rows.map(({ point }) => point.href),
  }
}

function describePoint(point: HistoryPoint): string {
  return `${point.label}, ${dayOf(point.at)}: ${formatEstimate(point)}${point.change === null ? '' : `, ${point.change}`}`
}

function describe(series: readonly HistorySeries[]): string {
  return series
    .map(({ label, points }) => {
      const changes = points.filter(({ change }) => change !== null)
      const found = changes.map(({ change, at }) => `${change} on ${dayOf(at)}`).join(', ')
      return `${label}: ${points.length} runs, ${found || 'no change'}`
    })
    .join('; ')
}
