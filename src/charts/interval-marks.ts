import { createElement as h, type ReactElement } from 'react'
import { formatEstimate, formatEstimates, formatInterval, formatPercent } from '../lib/format/percent.ts'
import { formatCount } from '../lib/format/numbers.ts'
import { showHidden } from '../lib/format/visible-text.ts'
import { surface } from './colors.ts'
import { type ChartTable, finite, px } from './frame.ts'

/** A score in [0, 1] with its interval; any figure may be missing. */
export interface IntervalFigures {
  readonly label: string
  readonly n: number
  readonly mean: number | null
  readonly low: number | null
  readonly high: number | null
  /** Address of what it counts. */
  readonly href?: string | undefined
}

/** Drops what cannot be drawn: a chart shows no NaN and no half interval. */
export function drawable<Figures extends IntervalFigures>(row: Figures): Figures {
  const low = finite(row.low)
  const high = finite(row.high)
  const whole = low !== null && high !== null
  return { ...row, mean: finite(row.mean), low: whole ? low : null, high: whole ? high : null }
}

/** The figures of one row as text: `56.3 % ± 2.7 (n = 1,319)`. */
export function intervalText({ mean, low, high, n }: IntervalFigures): string {
  return formatEstimate({ mean, n, interval: intervalOf(low, high) })
}

/** The figures of rows one under another, all in the same form. */
export function intervalTexts(rows: readonly IntervalFigures[]): string[] {
  return formatEstimates(rows.map(({ mean, low, high, n }) => ({ mean, n, interval: intervalOf(low, high) })))
}

/** The interval first, the point on top of it. */
export function intervalMark(row: IntervalFigures, x: (value: number) => number, y: number, color: string, radius: number): ReactElement {
  const { mean, low, high } = row
  return h(
    'g',
    null,
    h('title', null, `${showHidden(row.label)}: ${intervalText(row)}`),
    low === null || high === null
      ? null
      : h('path', {
          d: `M${px(x(low))} ${px(y - radius)}V${px(y + radius)}M${px(x(low))} ${px(y)}H${px(x(high))}M${px(x(high))} ${px(y - radius)}V${px(y + radius)}`,
          stroke: color,
          strokeWidth: 2,
          fill: 'none',
        }),
    mean === null ? null : h('circle', { cx: px(x(mean)), cy: px(y), r: radius, fill: color, stroke: surface, strokeWidth: 1.5 }),
  )
}

export const intervalColumns: ChartTable['columns'] = [
  { label: 'Score', numeric: true },
  { label: 'Interval', numeric: true },
  { label: 'n', numeric: true },
]

/** The cells for `intervalColumns`. */
export function intervalCells({ mean, low, high, n }: IntervalFigures): string[] {
  return [formatPercent(mean), formatInterval(intervalOf(low, high)), formatCount(n)]
}

function intervalOf(low: number | null, high: number | null): { low: number; high: number } | null {
  return low === null || high === null ? null : { low, high }
}
