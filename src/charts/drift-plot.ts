import { scaleLinear, scaleLog } from 'd3-scale'
import { createElement as h, type ReactElement } from 'react'
import { formatCount } from '../lib/format/numbers.ts'
import { bottomAxis, leftAxis } from './axes.ts'
import { ink, seriesColor, toneColor } from './colors.ts'
import { type ChartProps, type ChartTable, defaultWidth, frame, noData, px } from './frame.ts'

export interface DriftPoint {
  /** Place among all outputs. */
  readonly output: number
  readonly fall: number
  readonly rise: number
}

export interface DriftPlotProps extends ChartProps {
  readonly points: readonly DriftPoint[]
  /** The detector raises an alarm when it reaches this. */
  readonly alarmAt: number
  readonly alarms: readonly { readonly output: number; readonly kind: 'regression' | 'improvement' }[]
}

const height = 240
const [top, bottom, left] = [16, height - 40, 64]
const sides = [
  { key: 'fall', label: 'Fall', color: seriesColor(1), dash: undefined },
  { key: 'rise', label: 'Rise', color: seriesColor(0), dash: '5 3' },
] as const

/** The drift detector over outputs, on a logarithmic scale, against the level at which it raises an alarm. */
export function DriftPlot({ title, points, alarmAt, alarms, width = defaultWidth }: DriftPlotProps): ReactElement {
  const last = points.at(-1)
  const first = points[0]
  if (!first || !last) return noData(title, width, 'no output has been scored')
  const right = width - 52
  const x = scaleLinear([first.output, Math.max(last.output, first.output + 1)], [left, right])
  const most = Math.max(alarmAt * 2, ...points.flatMap(({ fall, rise }) => [fall, rise]))
  const log = scaleLog([0.1, most], [bottom, top]).clamp(true)
  const powers = Array.from({ length: Math.floor(Math.log10(most)) + 2 }, (_, i) => 10 ** (i - 1))
  const y = Object.assign((value: number) => log(Math.max(0.1, value)), { ticks: () => powers })
  const tick = (value: number) => (value < 1 ? '≤ 0.1' : formatCount(value))
  const ends = sides.map(({ key }) => y(last[key]))
  const apart = Math.abs((ends[0] ?? 0) - (ends[1] ?? 0)) < 14
  return frame(
    { title, description: describe(points, alarmAt, alarms), width, height },
    leftAxis({ scale: y, format: tick, ticks: 5, from: left, to: right }),
    bottomAxis({ scale: x, format: value => formatCount(Math.round(value)), ticks: 5, y: bottom, top, from: left, to: right }),
    h('text', { x: px((left + right) / 2), y: height - 6, textAnchor: 'middle', fontSize: 11, fill: ink }, 'scored outputs'),
    h('line', {
      x1: left,
      x2: right,
      y1: px(y(alarmAt)),
      y2: px(y(alarmAt)),
      stroke: toneColor.fail,
      strokeDasharray: '6 3',
      strokeWidth: 1.5,
    }),
    h('text', { x: left + 6, y: px(y(alarmAt) - 5), fontSize: 11, fill: ink }, `alarm at ${formatCount(alarmAt)}`),
    ...sides.map(({ key, label, color, dash }, i) =>
      h(
        'g',
        { key },
        h('path', {
          d: `M${points.map(point => `${px(x(point.output))} ${px(y(point[key]))}`).join('L')}`,
          stroke: color,
          strokeWidth: 2,
          strokeDasharray: dash,
          fill: 'none',
        }),
        h('text', { x: px(right + 6), y: px((ends[i] ?? 0) + 4 + (apart ? (i === 0 ? -7 : 7) : 0)), fontSize: 11, fill: ink }, label),
      ),
    ),
    ...alarms.map(({ output, kind }) =>
      h(
        'g',
        { key: `${kind} ${output}` },
        h('title', null, `${kind} at output ${formatCount(output)}`),
        h('circle', { cx: px(x(output)), cy: px(y(alarmAt)), r: 5, fill: kind === 'regression' ? toneColor.fail : toneColor.pass }),
      ),
    ),
  )
}

export function driftTable({ title, points }: Pick<DriftPlotProps, 'title' | 'points'>): ChartTable {
  return {
    caption: title,
    columns: ['Output', 'Fall', 'Rise'].map(label => ({ label, numeric: true })),
    rows: points.map(({ output, fall, rise }) => [formatCount(output), fall.toPrecision(3), rise.toPrecision(3)]),
  }
}

function describe(points: readonly DriftPoint[], alarmAt: number, alarms: DriftPlotProps['alarms']): string {
  const highest = Math.max(...points.flatMap(({ fall, rise }) => [fall, rise]))
  const found = alarms.length === 0 ? 'no alarm' : alarms.map(({ kind, output }) => `${kind} at output ${output}`).join(', ')
  return `The detector reached ${highest.toPrecision(3)} of ${alarmAt}: ${found}.`
}
