import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatPercent } from '../lib/format/percent.ts'
import { bottomAxis, percentTick } from './axes.ts'
import { baseline, ink, inkMuted, seriesColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, finite, frame, linked, mostStops, noData, px } from './frame.ts'
import {
  drawable,
  type IntervalFigures,
  intervalCells,
  intervalColumns,
  intervalMark,
  intervalText,
  intervalTexts,
} from './interval-marks.ts'
import { columnWidth, fittedText } from './labels.ts'

export interface BreakdownGroup {
  /** What the rows are the values of: `subject`, `level`. */
  readonly dimension: string
  readonly rows: readonly IntervalFigures[]
}

export interface BreakdownPlotProps extends ChartProps {
  readonly groups: readonly BreakdownGroup[]
  /** Score over all rows, drawn as a line behind them. */
  readonly overall?: number | null
  /** Whether a baseline was run and not a model: gray, as in every picture. */
  readonly isBaseline?: boolean
}

const rowHeight = 20
const headingHeight = 26
const top = 18

/** Many small scores as bars with their intervals, by dimension, against the overall score. */
export function BreakdownPlot(props: BreakdownPlotProps): ReactElement {
  const { title, groups: given, overall: givenOverall, isBaseline = false, width = defaultWidth } = props
  const color = isBaseline ? baseline : seriesColor(0)
  const groups = given.map(group => ({ ...group, rows: group.rows.map(drawable) }))
  const all = groups.flatMap(group => group.rows)
  if (!all.some(row => row.mean !== null)) return noData(title, width, 'no part has a score')
  const overall = finite(givenOverall)
  const figures = intervalTexts(all)
  const textOf = new Map(all.map((row, index) => [row, figures[index] ?? '']))
  const labelRoom = columnWidth(
    all.map(row => row.label),
    width * 0.36,
    11,
  )
  const left = labelRoom + 20
  const right = width - columnWidth(figures, width * 0.34, 11) - 16
  const bottom = top + groups.length * headingHeight + all.length * rowHeight
  const x = scaleLinear([0, 1], [left, right]).clamp(true)
  return frame(
    {
      title,
      description: describe(groups, overall),
      width,
      height: bottom + 24,
      interactive: all.some(({ href }) => href !== undefined),
    },
    bottomAxis({ scale: x, format: percentTick, ticks: 5, y: bottom, top, from: left, to: right }),
    overall === null ? null : overallLine(overall, px(x(overall)), bottom),
    ...placeRows(groups).map(({ key, y, heading, row }) =>
      row === null
        ? fittedText(heading, right, { key, x: 0, y: px(y + 18), fill: ink, fontWeight: 600, fontSize: 11 })
        : linked(
            row.href,
            `${heading} ${row.label}: ${textOf.get(row) ?? ''}`,
            h(
              'g',
              { key },
              // All of the row is what is clicked, not only what is drawn in it.
              row.href === undefined ? null : h('rect', { x: 0, y: px(y), width, height: rowHeight, fill: 'transparent' }),
              fittedText(row.label, labelRoom + 4, { x: 8, y: px(y + 14), fill: ink, fontSize: 11 }),
              bar(row.mean, x, y, color),
              intervalMark(row, x, y + rowHeight / 2, color, 3.5),
              h('text', { x: px(right + 12), y: px(y + 14), fill: ink, fontSize: 11 }, textOf.get(row)),
            ),
            all.length > mostStops,
          ),
    ),
  )
}

export function breakdownPlotTable({ title, groups }: BreakdownPlotProps): ChartTable {
  return {
    caption: title,
    columns: [{ label: 'Dimension', numeric: false }, { label: 'Value', numeric: false }, ...intervalColumns],
    rows: groups.flatMap(({ dimension, rows }) => rows.map(drawable).map(row => [dimension, row.label, ...intervalCells(row)])),
    hrefs: groups.flatMap(({ rows }) => rows.map(({ href }) => href)),
  }
}

/** From nothing to the score, pale, so that lengths are compared at a glance and the interval stays what is read. */
function bar(mean: number | null, x: (value: number) => number, y: number, fill: string): ReactElement | null {
  if (mean === null) return null
  return h('rect', { x: px(x(0)), y: px(y + 4), width: px(x(mean) - x(0)), height: rowHeight - 8, fill, fillOpacity: 0.18 })
}

interface PlacedRow {
  readonly key: string
  readonly y: number
  readonly heading: string
  readonly row: IntervalFigures | null
}

function placeRows(groups: readonly BreakdownGroup[]): PlacedRow[] {
  const placed: PlacedRow[] = []
  let y = top
  for (const [group, { dimension, rows }] of groups.entries()) {
    placed.push({ key: `${group}`, y, heading: dimension, row: null })
    y += headingHeight
    for (const [index, row] of rows.entries()) {
      placed.push({ key: `${group}.${index}`, y, heading: dimension, row })
      y += rowHeight
    }
  }
  return placed
}

function overallLine(overall: number, x: number, bottom: number): ReactElement {
  return h(
    'g',
    null,
    h('line', { x1: x, x2: x, y1: top, y2: px(bottom), stroke: baseline, strokeDasharray: '4 3' }),
    h('text', { x, y: 11, textAnchor: 'middle', fontSize: 11, fill: inkMuted }, `overall ${formatPercent(overall)}`),
  )
}

function describe(groups: readonly BreakdownGroup[], overall: number | null): string {
  const parts = groups.map(({ dimension, rows }) => `by ${dimension}: ${rows.map(row => `${row.label} ${intervalText(row)}`).join(', ')}`)
  return [...(overall === null ? [] : [`Overall ${formatPercent(overall)}`]), ...parts].join('; ')
}
