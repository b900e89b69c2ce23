import type { RuleVerdict } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatFigure } from './releases-words.ts'

const [width, height] = [360, 44]
const [left, right] = [8, 8]
const labelWidth = 90

/** Rules about a share of the tasks have one scale, so that they can be read beside each other. */
const shares: readonly string[] = ['min_score', 'max_error_rate']

/** A rule's estimate with its two one-sided bounds (the one that passes it and the one that fails it) against its threshold. */
export function RulePlot({ rule }: { readonly rule: RuleVerdict }) {
  const { kind, estimate, bound, opposite_bound: opposite, threshold, n } = rule
  const values = [estimate, bound, opposite, threshold].filter(value => value !== null)
  if (estimate === null || values.length < 2) return <span className="quiet small">No figures yet</span>
  const [from, to] = rangeOf(kind, values)
  const x = (value: number) => left + ((value - from) / (to - from)) * (width - left - right)
  const show = (value: number | null) => formatFigure(kind, value)
  const interval = bound !== null && opposite !== null ? [Math.min(bound, opposite), Math.max(bound, opposite)] : null
  const text = [
    `Estimate ${show(estimate)}`,
    interval ? `one-sided bounds ${show(interval[0] ?? null)} and ${show(interval[1] ?? null)}` : null,
    threshold === null ? null : `threshold ${show(threshold)}`,
    `n = ${formatCount(n)}`,
  ]
    .filter(part => part !== null)
    .join(', ')
  const y = 16
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an svg that is drawn here is no img element
    <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={text} className="releases-plot">
      <line x1={left} x2={width - right} y1={y} y2={y} stroke="var(--line)" />
      {[from, to]
        .filter(end => threshold === null || Math.abs(x(end) - x(threshold)) > labelWidth)
        .map(end => (
          <text key={end} x={x(end)} y={41} fontSize={11} textAnchor={anchorOf(x(end))} fill="var(--ink-2)">
            {show(end)}
          </text>
        ))}
      {threshold === null ? null : (
        <g>
          <line x1={x(threshold)} x2={x(threshold)} y1={3} y2={29} stroke="var(--ink)" strokeDasharray="3 2" />
          <text x={x(threshold)} y={41} fontSize={11} textAnchor={anchorOf(x(threshold))} fill="var(--ink-2)">
            {show(threshold)}
          </text>
        </g>
      )}
      {interval ? (
        <path
          d={`M${x(interval[0] ?? 0)} ${y - 5}v10m0 -5H${x(interval[1] ?? 0)}m0 -5v10`}
          stroke="var(--series-blue)"
          strokeWidth={2}
          fill="none"
        />
      ) : null}
      <circle cx={x(estimate)} cy={y} r={5} fill="var(--series-blue)" />
    </svg>
  )
}

/** Both ends of a rule's axis. */
function rangeOf(kind: string, values: readonly number[]): readonly [number, number] {
  if (shares.includes(kind)) return [0, 1]
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const pad = (most - least || Math.abs(most) || 1) * 0.15
  return [least - pad, most + pad]
}

/** Keeps a label inside the plot at its ends. */
function anchorOf(x: number): 'start' | 'middle' | 'end' {
  return x < 60 ? 'start' : x > width - 60 ? 'end' : 'middle'
}
