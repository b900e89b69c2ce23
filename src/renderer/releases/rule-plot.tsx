import type { RuleVerdict } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatFigure } from './releases-words.ts'

const [width, height] = [360, 44]
const [left, right] = [8, 8]

/** A rule's interval against its threshold on one line. */
export function RulePlot({ rule }: { readonly rule: RuleVerdict }) {
  const { kind, estimate, bound, opposite_bound: opposite, threshold, n } = rule
  const values = [estimate, bound, opposite, threshold].filter(value => value !== null)
  if (estimate === null || values.length < 2) return <span className="quiet small">No figures yet</span>
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const pad = (most - least || Math.abs(most) || 1) * 0.15
  const x = (value: number) => left + ((value - (least - pad)) / (most - least + 2 * pad)) * (width - left - right)
  const show = (value: number | null) => formatFigure(kind, value)
  const interval = bound !== null && opposite !== null ? [Math.min(bound, opposite), Math.max(bound, opposite)] : null
  const text = [
    `Estimate ${show(estimate)}`,
    interval ? `interval ${show(interval[0] ?? null)} to ${show(interval[1] ?? null)}` : null,
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

/** Keeps a label inside the plot at its ends. */
function anchorOf(x: number): 'start' | 'middle' | 'end' {
  return x < 60 ? 'start' : x > width - 60 ? 'end' : 'middle'
}
