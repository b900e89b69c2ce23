import { bisectLeft, bisectRight, max, pairs } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatCompact, formatCount } from '../lib/format/numbers.ts'
import { bottomAxis, leftAxis } from './axes.ts'
import { ink, seriesColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, frame, linked, noData, px } from './frame.ts'
import { textWidth } from './labels.ts'

export interface DistributionProps extends ChartProps {
  /** Of the values; null where there are none. */
  readonly shape: Histogram | null
  /** How a value reads on the axis, in its unit. */
  readonly format: (value: number) => string
  /** Address of what a bar counts; `to` is null for the bar that also counts what lies beyond the axis. */
  readonly hrefOf?: (from: number, to: number | null) => string
}

const height = 200
const top = 34
const bottom = height - 24
const left = 40

/** How values spread: counts in bars of equal width, with the median and the 95th percentile marked. */
export function Distribution({ title, shape, format, hrefOf, width = defaultWidth }: DistributionProps): ReactElement {
  if (shape === null) return noData(title, width, 'no values')
  const right = width - 12
  const x = scaleLinear([shape.from, shape.to], [left, right])
  const most = max(shape.bars, bar => bar.count) ?? 1
  // Values are counted whole.
  const ticks = Math.min(4, most)
  const y = scaleLinear([0, most], [bottom, top]).nice(ticks)
  return frame(
    { title, description: describe(shape, format), width, height, interactive: hrefOf !== undefined },
    leftAxis({ scale: y, format: formatCompact, ticks, from: left, to: right }),
    bottomAxis({ scale: x, format, ticks: 6, y: bottom, top: bottom, from: left, to: right }),
    ...shape.bars
      .filter(bar => bar.count > 0)
      .map(bar =>
        linked(
          addressOf(bar, shape, hrefOf),
          barText(bar, shape, format),
          h(
            'rect',
            {
              key: bar.from,
              x: px(x(bar.from) + 0.5),
              width: px(Math.max(1, x(bar.to) - x(bar.from) - 1)),
              y: px(y(bar.count)),
              height: px(bottom - y(bar.count)),
              fill: seriesColor(0),
              fillOpacity: 0.75,
            },
            h('title', null, barText(bar, shape, format)),
          ),
          true,
        ),
      ),
    marker(`median ${format(shape.median)}`, px(x(shape.median)), 12, right),
    shape.beyond === 0 ? null : beyondNote(shape, format, right, y(shape.bars.at(-1)?.count ?? 0)),
    shape.p95 > shape.to ? null : marker(`p95 ${format(shape.p95)}`, px(x(shape.p95)), 27, right),
  )
}

export function distributionTable({ title, shape, format, hrefOf }: DistributionProps): ChartTable {
  return {
    caption: title,
    columns: [
      { label: 'From', numeric: true },
      { label: 'To', numeric: true },
      { label: 'Count', numeric: true },
    ],
    rows:
      shape?.bars.map((bar, index) => [
        format(bar.from),
        index === shape.bars.length - 1 ? format(shape.largest) : format(bar.to),
        formatCount(bar.count),
      ]) ?? [],
    // The bars are skipped by the Tab key: this is how a keyboard reaches what they count.
    hrefs: shape?.bars.map(bar => (bar.count > 0 ? addressOf(bar, shape, hrefOf) : undefined)) ?? [],
  }
}

interface Bar {
  readonly from: number
  readonly to: number
  readonly count: number
}

export interface Histogram {
  readonly bars: readonly Bar[]
  readonly from: number
  readonly to: number
  readonly n: number
  readonly median: number
  readonly p95: number
  readonly largest: number
  /** Values beyond the axis, counted in the last bar. */
  readonly beyond: number
}

/**
 * Once for a chart and its table. Up to 40 bars. A few far outliers would press everything else into the first bar, so where the largest value is over twice the
 * 99th percentile the axis ends at one and a half times that percentile, and what lies beyond is counted in the last bar.
 */
export function histogram(values: readonly number[] | Float64Array): Histogram | null {
  const all = new Float64Array(values).sort()
  const sorted = all.subarray(bisectRight(all, -Infinity), bisectLeft(all, Infinity))
  const smallest = sorted.at(0)
  const largest = sorted.at(-1)
  if (smallest === undefined || largest === undefined) return null
  const p99 = quantileOf(sorted, 0.99)
  const end = largest > 2 * p99 && p99 > smallest ? p99 * 1.5 : largest
  const scale = scaleLinear([Math.min(smallest, 0), end === 0 ? 1 : end], [0, 1]).nice(20)
  const [from = 0, to = 1] = scale.domain()
  const edges = [from, ...scale.ticks(30).filter(tick => tick > from && tick < to), to]
  // The last bar also has its upper edge and what lies beyond.
  const firstOf = edges.map((edge, i) => (i === edges.length - 1 ? sorted.length : bisectLeft(sorted, edge)))
  return {
    bars: pairs(edges).map(([lower, upper], i) => ({ from: lower, to: upper, count: (firstOf[i + 1] ?? 0) - (firstOf[i] ?? 0) })),
    from,
    to,
    n: sorted.length,
    median: quantileOf(sorted, 0.5),
    p95: quantileOf(sorted, 0.95),
    largest,
    beyond: sorted.length - bisectRight(sorted, to),
  }
}

/** Between the two values beside the place, as R's type 7; d3's is of arrays. */
function quantileOf(sorted: Float64Array, p: number): number {
  const place = p * (sorted.length - 1)
  const [low = Number.NaN, high = low] = sorted.subarray(Math.floor(place), Math.floor(place) + 2)
  return low + (high - low) * (place % 1)
}

function addressOf(bar: Bar, shape: Histogram, hrefOf: DistributionProps['hrefOf']): string | undefined {
  return hrefOf?.(bar.from, bar.to >= shape.to ? null : bar.to)
}

function barText(bar: Bar, shape: Histogram, format: DistributionProps['format']): string {
  const open = shape.beyond > 0 && bar.to >= shape.to
  return `${format(bar.from)} to ${format(open ? shape.largest : bar.to)}: ${formatCount(bar.count)}`
}

function describe(shape: Histogram, format: DistributionProps['format']): string {
  const beyond = shape.beyond === 0 ? '' : ` The last bar holds ${formatCount(shape.beyond)} beyond the axis.`
  return `${formatCount(shape.n)} values, median ${format(shape.median)}, 95th percentile ${format(shape.p95)}, largest ${format(shape.largest)}.${beyond}`
}

function marker(text: string, x: number, y: number, right: number): ReactElement {
  const fits = x + 4 + textWidth(text, 11) < right
  return h(
    'g',
    null,
    h('line', { x1: x, x2: x, y1: y - 8, y2: bottom, stroke: ink, strokeDasharray: '3 2' }),
    h('text', { x: fits ? x + 4 : x - 4, y, textAnchor: fits ? 'start' : 'end', fontSize: 11, fill: ink }, text),
  )
}

/** Says over the last bar that it holds more than its place on the axis tells. */
function beyondNote(shape: Histogram, format: DistributionProps['format'], right: number, y: number): ReactElement {
  const text = `${formatCount(shape.beyond)} beyond, up to ${format(shape.largest)}`
  return h('text', { x: right, y: px(y - 5), textAnchor: 'end', fontSize: 11, fill: ink }, text)
}
