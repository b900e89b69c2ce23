import { createElement as h, type ReactElement } from 'react'
import { axis, grid, ink, inkMuted, toneColor } from '../../../charts/colors.ts'
import { type ChartTable, frame, noData, px } from '../../../charts/frame.ts'
import { fittedText } from '../../../charts/labels.ts'
import type { Comparison, Difference } from '../../../contract/index.ts'
import { formatCount, formatSigned } from '../../../lib/format/numbers.ts'
import { formatDifferenceInterval } from '../../../lib/format/percent.ts'

const width = 760
const labelRoom = 250
const figureRoom = 190
const rowHeight = 40
const top = 8

interface Row {
  readonly label: string
  readonly detail: string
  readonly difference: Difference
}

/** Differences from the baseline with their intervals, in points, around the line of no difference. */
export function differencePlot(comparison: Comparison): ReactElement {
  const title = 'Differences from the baseline'
  const rows = rowsOf(comparison)
  const drawn = rows.filter(({ difference }) => difference.difference !== null)
  if (drawn.length === 0) return noData(title, width, 'no difference could be measured')
  const reach = Math.max(
    0.01,
    ...drawn.flatMap(({ difference: { difference, interval } }) =>
      [difference, interval?.low, interval?.high].map(end => Math.abs(end ?? 0)),
    ),
  )
  const [left, right] = [labelRoom, width - figureRoom]
  const x = (value: number) => px((left + right) / 2 + ((right - left) / 2) * (value / reach))
  const bottom = top + rows.length * rowHeight
  return frame(
    { title, description: rows.map(row => `${row.label}: ${figuresOf(row.difference)}`).join('; '), width, height: bottom + 24 },
    ...[-reach, 0, reach].map(tick =>
      h(
        'g',
        { key: tick, 'aria-hidden': true },
        h('line', { x1: x(tick), x2: x(tick), y1: top, y2: bottom, stroke: tick === 0 ? axis : grid }),
        h('text', { x: x(tick), y: bottom + 15, textAnchor: 'middle', fontSize: 11, fill: inkMuted }, formatSigned(tick * 100, 1)),
      ),
    ),
    ...rows.map((row, i) => rowMark(row, x, top + (i + 0.5) * rowHeight)),
  )
}

export function differencePlotTable(comparison: Comparison): ChartTable {
  return {
    caption: 'Differences from the baseline, in percentage points',
    columns: [
      { label: 'Contender', numeric: false },
      { label: 'Of', numeric: false },
      { label: 'Difference and interval', numeric: true },
      { label: 'n', numeric: true },
    ],
    rows: rowsOf(comparison).map(({ label, detail, difference }) => [label, detail, figuresOf(difference), formatCount(difference.n)]),
  }
}

function rowsOf({ differences, runs }: Comparison): Row[] {
  return differences.map(difference => ({
    label: runs.find(run => run.id === difference.contender_id)?.label ?? '',
    // The metric first: long titles of benchmarks are cut at their end.
    detail: `${difference.metric_title}, ${difference.title}`,
    difference,
  }))
}

function figuresOf({ difference, interval }: Difference): string {
  return formatDifferenceInterval({ mean: difference, interval })
}

function rowMark({ label, detail, difference }: Row, x: (value: number) => number, y: number): ReactElement {
  const { interval, verdict } = difference
  const color = verdict === 'better' ? toneColor.pass : verdict === 'worse' ? toneColor.fail : toneColor.unscored
  return h(
    'g',
    { key: `${difference.contender_id} ${detail}` },
    fittedText(label, labelRoom - 16, { x: 0, y: px(y - 3), fill: ink, fontWeight: 500 }),
    fittedText(detail, labelRoom - 16, { x: 0, y: px(y + 12), fill: inkMuted, fontSize: 11 }),
    interval === null
      ? null
      : h('line', { x1: x(interval.low), x2: x(interval.high), y1: px(y), y2: px(y), stroke: color, strokeWidth: 2 }),
    difference.difference === null ? null : h('circle', { cx: x(difference.difference), cy: px(y), r: 5, fill: color }),
    h('text', { x: width - figureRoom + 14, y: px(y + 4), fill: ink, fontSize: 11 }, figuresOf(difference)),
  )
}
