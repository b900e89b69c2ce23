import { extent } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { createElement as h, type ReactElement } from 'react'
import { inkMuted, seriesColor } from './colors.ts'
import { type ChartProps, type ChartTable, finite, frame, px } from './frame.ts'

export interface SparklineProps extends ChartProps {
  /** In order; a null or a number that is not finite is a gap. */
  readonly values: readonly (number | null)[]
  /** How a value reads, in its unit. */
  readonly format: (value: number) => string
}

const height = 24
const margin = 3

/** A line the size of a word: where a number came from, without axes. */
export function Sparkline({ title, values: given, format, width = 96 }: SparklineProps): ReactElement {
  const values = given.map(finite)
  const known = values.filter(value => value !== null)
  const [low, high] = extent(known)
  const last = known.at(-1)
  if (low === undefined || last === undefined) {
    const text = h('text', { x: margin, y: 16, fontSize: 11, fill: inkMuted }, 'no data')
    return frame({ title, description: 'No data', width, height }, text)
  }
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [margin, width - margin])
  const y = scaleLinear(low === high ? [low - 1, low + 1] : [low, high], [height - margin, margin])
  const path = line<number | null>()
    .defined(value => value !== null)
    .x((_, index) => x(index))
    .y(value => y(value ?? low))
    .digits(2)
  return frame(
    { title, description: `${known.length} values from ${format(low)} to ${format(high)}, last ${format(last)}`, width, height },
    h('path', { d: path(values) ?? '', fill: 'none', stroke: seriesColor(0), strokeWidth: 1.5 }),
    h('circle', { cx: px(x(values.lastIndexOf(last))), cy: px(y(last)), r: 2.2, fill: seriesColor(0) }),
  )
}

export function sparklineTable({ title, values, format }: SparklineProps): ChartTable {
  return {
    caption: title,
    columns: [
      { label: 'Place', numeric: true },
      { label: 'Value', numeric: true },
    ],
    rows: values.map((value, index) => [String(index + 1), finite(value) === null ? '–' : format(finite(value) ?? 0)]),
  }
}
