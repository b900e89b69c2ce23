import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatCount, formatSigned } from '../lib/format/numbers.ts'
import { formatDifference, formatDifferenceInterval } from '../lib/format/percent.ts'
import { showHidden } from '../lib/format/visible-text.ts'
import { bottomAxis } from './axes.ts'
import { baseline as baselineColor, grid, ink, inkMuted, seriesColor, surface, toneColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, finite, frame, linked, mostStops, noData, px } from './frame.ts'
import { columnWidth, fittedText, textWidth } from './labels.ts'

/** One paired difference, contender minus baseline, as a fraction in [−1, 1]; any figure may be missing. */
export interface DifferenceRow {
  readonly label: string
  /** Smaller, under the label. */
  readonly detail?: string
  /** Tasks that it rests on. */
  readonly n: number
  readonly difference: number | null
  readonly low: number | null
  readonly high: number | null
  /** Smallest difference that these tasks would have shown; drawn as a band around zero. */
  readonly detectable?: number | null
  /** Index of a series color. */
  readonly series?: number
  /** Address of what it counts. */
  readonly href?: string
}

export interface DifferenceGroup {
  /** Above its rows; null for rows that need none. */
  readonly heading: string | null
  readonly rows: readonly DifferenceRow[]
}

export interface PairedDifferenceProps extends ChartProps {
  readonly groups: readonly DifferenceGroup[]
  /** Name of the baseline, written at the gray line of no difference. */
  readonly baseline: string
  /** A line at a difference that decides something, e.g. the largest loss that is acceptable. */
  readonly limit?: { readonly at: number; readonly label: string }
}

const top = 22
const headingHeight = 26
const lowRow = 24
const highRow = 40
const radius = 4.5
/** A tenth of a point either way, so that an axis never has no length. */
const leastReach = 0.001

/** Paired differences with their intervals around the gray line of the baseline, on one axis that is as long on both sides. */
export function PairedDifference({ title, groups: given, baseline, limit, width = defaultWidth }: PairedDifferenceProps): ReactElement {
  const groups = given.map(group => ({ ...group, rows: group.rows.map(drawable) }))
  const rows = groups.flatMap(group => group.rows)
  if (!rows.some(row => row.difference !== null)) return noData(title, width, 'no difference could be measured')
  const labelRoom = columnWidth(
    rows.flatMap(row => [row.label, row.detail ?? '']),
    width * 0.32,
  )
  const left = labelRoom + 20
  const right = width - columnWidth(rows.map(figuresOf), width * 0.36, 11) - 16
  const reach = Math.max(
    leastReach,
    Math.abs(limit?.at ?? 0),
    ...rows.flatMap(row => [row.difference, row.low, row.high].map(end => Math.abs(end ?? 0))),
  )
  const x = scaleLinear([-reach, reach], [left, right]).nice(4)
  const placed = placeRows(groups)
  const bottom = placed.bottom + 4
  const zero = px(x(0))
  return frame(
    {
      title,
      description: describe(rows, baseline),
      width,
      height: bottom + 38,
      interactive: rows.some(({ href }) => href !== undefined),
    },
    ...placed.rows.map(({ key, row, y, height }) => band(key, row, x, y, height)),
    bottomAxis({ scale: x, format: pointsTick, ticks: 4, y: bottom, top, from: left, to: right }),
    h('line', { x1: zero, x2: zero, y1: top - 4, y2: px(bottom), stroke: baselineColor, strokeWidth: 2 }),
    fittedText(baseline, right - left, { x: zero, y: 12, textAnchor: 'middle', fontSize: 11, fill: inkMuted }),
    h('text', { x: zero, y: px(bottom + 31), textAnchor: 'middle', fontSize: 11, fill: inkMuted }, 'points below or above it'),
    limit ? limitLine(limit, px(x(limit.at)), bottom, { at: zero, room: textWidth(baseline, 11) / 2 + 8 }) : null,
    ...placed.headings.map(({ key, text, y }) =>
      fittedText(text, width, { key, x: 0, y: px(y), fill: ink, fontWeight: 600, fontSize: 11 }),
    ),
    ...placed.rows.map(({ key, row, y, height }) =>
      linked(
        row.href,
        `${showHidden(row.label)}: ${figuresOf(row)}`,
        rowMark(key, row, { x, y: y + height / 2, height, width, labelRoom, right }),
        rows.length > mostStops,
      ),
    ),
  )
}

export function pairedDifferenceTable({ title, groups }: PairedDifferenceProps): ChartTable {
  const grouped = groups.some(group => group.heading !== null)
  const rows = groups.flatMap(group => group.rows)
  const detailed = rows.some(row => row.detail !== undefined)
  const detectable = rows.some(row => finite(row.detectable) !== null)
  return {
    caption: title,
    columns: [
      ...(grouped ? [{ label: 'Part', numeric: false }] : []),
      { label: 'Name', numeric: false },
      ...(detailed ? [{ label: 'Detail', numeric: false }] : []),
      { label: 'Difference and interval', numeric: true },
      ...(detectable ? [{ label: 'Detectable difference', numeric: true }] : []),
      { label: 'n', numeric: true },
    ],
    rows: groups.flatMap(group =>
      group.rows
        .map(drawable)
        .map(row => [
          ...(grouped ? [group.heading ?? ''] : []),
          row.label,
          ...(detailed ? [row.detail ?? ''] : []),
          figuresOf(row),
          ...(detectable ? [formatDifference(finite(row.detectable)).replace('+', '')] : []),
          formatCount(row.n),
        ]),
    ),
    hrefs: rows.map(({ href }) => href),
  }
}

type Scale = (value: number) => number

/** Drops what cannot be drawn: no NaN and no half interval. */
function drawable(row: DifferenceRow): DifferenceRow {
  const low = finite(row.low)
  const high = finite(row.high)
  const whole = low !== null && high !== null
  return { ...row, difference: finite(row.difference), low: whole ? low : null, high: whole ? high : null }
}

function figuresOf({ difference, low, high }: DifferenceRow): string {
  if (difference === null) return 'no difference'
  return formatDifferenceInterval({ mean: difference, interval: low === null || high === null ? null : { low, high } })
}

function placeRows(groups: readonly DifferenceGroup[]) {
  const rows: { key: string; row: DifferenceRow; y: number; height: number }[] = []
  const headings: { key: string; text: string; y: number }[] = []
  let y = top
  for (const [group, { heading, rows: members }] of groups.entries()) {
    if (heading !== null) {
      headings.push({ key: `heading ${group}`, text: heading, y: y + 18 })
      y += headingHeight
    }
    for (const [index, row] of members.entries()) {
      const height = row.detail === undefined ? lowRow : highRow
      rows.push({ key: `${group}.${index}`, row, y, height })
      y += height
    }
  }
  return { rows, headings, bottom: y }
}

/** Differences that would be missed more than one time in five, behind the row. */
function band(key: string, row: DifferenceRow, x: Scale & { range: () => number[] }, y: number, height: number): ReactElement | null {
  const detectable = finite(row.detectable)
  const [from = 0, to = 0] = x.range()
  if (detectable === null || detectable <= 0) return null
  const start = Math.max(from, x(-detectable))
  const end = Math.min(to, x(detectable))
  return h('rect', {
    key: `band ${key}`,
    x: px(start),
    y: px(y + 3),
    width: px(end - start),
    height: px(height - 6),
    fill: grid,
    fillOpacity: 0.6,
  })
}

/** Its name is at the top, on the side away from the baseline's name, which takes `room` on either side of zero. */
function limitLine(
  { at, label }: NonNullable<PairedDifferenceProps['limit']>,
  x: number,
  bottom: number,
  zero: { readonly at: number; readonly room: number },
): ReactElement {
  const [labelX, textAnchor] = at < 0 ? [Math.min(x, zero.at - zero.room), 'end'] : [Math.max(x, zero.at + zero.room), 'start']
  return h(
    'g',
    null,
    h('line', { x1: x, x2: x, y1: top - 4, y2: px(bottom), stroke: toneColor.fail, strokeWidth: 1.5, strokeDasharray: '5 3' }),
    h('text', { x: px(labelX), y: 12, textAnchor, fontSize: 11, fill: ink }, label),
  )
}

interface Place {
  readonly x: Scale
  /** Its middle. */
  readonly y: number
  readonly height: number
  readonly width: number
  readonly labelRoom: number
  readonly right: number
}

/** The interval, then the point on top of it, then the figures as text. */
function rowMark(key: string, row: DifferenceRow, { x, y, height, width, labelRoom, right }: Place): ReactElement {
  const { label, detail, difference, low, high } = row
  const color = seriesColor(row.series ?? 0)
  return h(
    'g',
    { key },
    row.href === undefined ? null : h('rect', { x: 0, y: px(y - height / 2), width, height, fill: 'transparent' }),
    h('title', null, `${showHidden(label)}: ${figuresOf(row)} (n = ${formatCount(row.n)})`),
    fittedText(label, labelRoom + 8, { x: 0, y: px(detail === undefined ? y + 4 : y - 3), fill: ink, fontWeight: 500 }),
    detail === undefined ? null : fittedText(detail, labelRoom + 8, { x: 0, y: px(y + 12), fill: inkMuted, fontSize: 11 }),
    low === null || high === null
      ? null
      : h('path', {
          d: `M${px(x(low))} ${px(y - radius)}V${px(y + radius)}M${px(x(low))} ${px(y)}H${px(x(high))}M${px(x(high))} ${px(y - radius)}V${px(y + radius)}`,
          stroke: color,
          strokeWidth: 2,
          fill: 'none',
        }),
    difference === null
      ? null
      : h('circle', { cx: px(x(difference)), cy: px(y), r: radius, fill: color, stroke: surface, strokeWidth: 1.5 }),
    h('text', { x: px(right + 14), y: px(y + 4), fill: ink, fontSize: 11 }, figuresOf(row)),
  )
}

/** Ticks are round numbers of percentage points. */
function pointsTick(fraction: number): string {
  const points = Math.round(fraction * 1000) / 10
  return formatSigned(points, Number.isInteger(points) ? 0 : 1)
}

function describe(rows: readonly DifferenceRow[], baseline: string): string {
  return `Against ${baseline}: ${rows.map(row => `${row.label}${row.detail === undefined ? '' : `, ${row.detail}`} ${figuresOf(row)} (n = ${formatCount(row.n)})`).join('; ')}`
}
