import { scaleLinear } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatPercent } from '../lib/format/percent.ts'
import { bottomAxis, percentTick } from './axes.ts'
import { axis, baseline, ink, inkMuted, seriesColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, finite, frame, linked, noData, px } from './frame.ts'
import { drawable, type IntervalFigures, intervalCells, intervalColumns, intervalMark, intervalTexts } from './interval-marks.ts'
import { columnWidth, fittedText, textWidth } from './labels.ts'

export interface IntervalRow extends IntervalFigures {
  /** Smaller, under the label: the metric or the model. */
  readonly detail?: string
  /** Expected score of blind guessing, marked by a tick in the row. */
  readonly chance?: number | null
  /** Index of a series color, or the gray of the baseline. */
  readonly series?: number | 'baseline'
}

export interface IntervalPlotProps extends ChartProps {
  readonly rows: readonly IntervalRow[]
  /** Ends of the axis; all of [0, 1] unless told otherwise, so that small differences look small. */
  readonly domain?: readonly [number, number]
  /** Scores that the rows are read against, such as those of baselines: dashed lines, which have no rank. */
  readonly references?: readonly { readonly label: string; readonly value: number }[]
}

const rowHeight = 40
const top = 6

/** Scores by profile, metric or model: one row each, with the interval, the point on it and the figures beside it. */
export function IntervalPlot({
  title,
  rows: given,
  domain = [0, 1],
  references = [],
  width = defaultWidth,
}: IntervalPlotProps): ReactElement {
  const rows = given.map(drawable)
  if (!rows.some(row => row.mean !== null)) return noData(title, width, 'nothing has a score')
  const figures = intervalTexts(rows)
  const labelRoom = columnWidth(
    rows.flatMap(row => [row.label, row.detail ?? '']),
    width * 0.36,
  )
  const figureRoom = columnWidth(figures, width * 0.34)
  const left = labelRoom + 16
  const right = width - figureRoom - 16
  const bottom = top + rows.length * rowHeight
  const x = scaleLinear([...domain], [left, right]).clamp(true)
  return frame(
    {
      title,
      description: [
        ...rows.map((row, index) => `${rowName(row)}: ${figures[index]}`),
        ...references.map(({ label, value }) => `reference line ${label}: ${formatPercent(value)}`),
      ].join('; '),
      width,
      height: bottom + 24,
      interactive: rows.some(({ href }) => href !== undefined),
    },
    ...references.map(({ label, value }) =>
      h(
        'g',
        { key: label },
        h('title', null, `${label}: ${formatPercent(value)}`),
        h('path', { d: `M${px(x(value))} ${top}V${px(bottom)}`, stroke: baseline, strokeDasharray: '4 3', strokeWidth: 1.5 }),
      ),
    ),
    bottomAxis({ scale: x, format: percentTick, ticks: 5, y: bottom, top, from: left, to: right }),
    ...rows.map((row, index) => {
      const y = top + (index + 0.5) * rowHeight
      const mark = h(
        'g',
        { key: index },
        fittedText(row.label, labelRoom + 8, { x: 0, y: px(row.detail === undefined ? y + 4 : y - 3), fill: ink, fontWeight: 500 }),
        row.detail === undefined ? null : fittedText(row.detail, labelRoom + 8, { x: 0, y: px(y + 12), fill: inkMuted, fontSize: 11 }),
        chanceTick(finite(row.chance), x, y, right),
        intervalMark({ ...row, label: rowName(row) }, x, y, colorOf(row.series), 5),
        h('text', { x: px(right + 14), y: px(y + 4), fill: ink }, figures[index]),
      )
      return linked(row.href, `${rowName(row)}: ${figures[index]}`, mark)
    }),
  )
}

export function intervalPlotTable({ title, rows }: IntervalPlotProps): ChartTable {
  const detailed = rows.some(row => row.detail !== undefined)
  const chance = rows.some(row => finite(row.chance) !== null)
  return {
    caption: title,
    columns: [
      { label: 'Name', numeric: false },
      ...(detailed ? [{ label: 'Detail', numeric: false }] : []),
      ...intervalColumns,
      ...(chance ? [{ label: 'Chance level', numeric: true }] : []),
    ],
    rows: rows
      .map(drawable)
      .map(row => [
        row.label,
        ...(detailed ? [row.detail ?? ''] : []),
        ...intervalCells(row),
        ...(chance ? [formatPercent(finite(row.chance))] : []),
      ]),
    hrefs: rows.map(({ href }) => href),
  }
}

function rowName({ label, detail }: IntervalRow): string {
  return detail === undefined ? label : `${label}, ${detail}`
}

function colorOf(series: IntervalRow['series']): string {
  return series === 'baseline' ? baseline : seriesColor(series ?? 0)
}

function chanceTick(chance: number | null, x: (value: number) => number, y: number, right: number): ReactElement | null {
  if (chance === null) return null
  const at = px(x(chance))
  const text = `chance ${formatPercent(chance)}`
  const fits = at + 4 + textWidth(text, 10) < right
  return h(
    'g',
    null,
    h('line', { x1: at, x2: at, y1: px(y - 14), y2: px(y + 18), stroke: axis, strokeDasharray: '2 2' }),
    h('text', { x: fits ? at + 4 : at - 4, y: px(y + 17), textAnchor: fits ? 'start' : 'end', fontSize: 10, fill: inkMuted }, text),
  )
}
