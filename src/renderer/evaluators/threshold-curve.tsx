import type { Calibration } from '../../contract/evaluators/calibrations.schemas.ts'
import type { ChartTable } from '../../charts/frame.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { ChartFigure } from '../results/chart-figure.tsx'

type Threshold = NonNullable<Calibration['threshold']>

const height = 220
const [left, right, top, bottom] = [44, 110, 12, 28]
const lines = [
  { key: 'sensitivity', label: 'Sensitivity', color: 'var(--series-blue)', dash: undefined },
  { key: 'specificity', label: 'Specificity', color: 'var(--warn)', dash: '5 3' },
  { key: 'balanced_accuracy', label: 'Balanced acc.', color: 'var(--ink)', dash: '2 2' },
] as const

/** Sensitivity and specificity over the thresholds, on the part that the threshold was chosen on. */
export function ThresholdCurve({ threshold }: { readonly threshold: Threshold }) {
  const table: ChartTable = {
    caption: 'Threshold curve',
    columns: [{ label: 'Threshold', numeric: true }, ...lines.map(({ label }) => ({ label, numeric: true }))],
    rows: threshold.curve.map(point => [point.threshold.toFixed(3), ...lines.map(({ key }) => formatPercent(point[key]))]),
  }
  return (
    <>
      <p>
        An output passes from a score of {threshold.value.toFixed(3)}. Chosen on {formatCount(threshold.chosen_on)} examples, reported on{' '}
        {formatCount(threshold.reported_on)} others.
      </p>
      <ChartFigure table={table} maxWidth={1040}>
        {width => <Curve threshold={threshold} width={width} />}
      </ChartFigure>
    </>
  )
}

function Curve({ threshold: { curve, value }, width }: { readonly threshold: Threshold; readonly width: number }) {
  const x = (at: number) => left + Math.max(0, Math.min(1, at)) * (width - left - right)
  const y = (share: number) => top + (1 - share) * (height - top - bottom)
  const last = curve.at(-1)
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an svg that is drawn here is not an img element
    <svg width={width} height={height} role="img" aria-label={`Sensitivity and specificity by threshold; chosen ${value.toFixed(3)}`}>
      {[0, 0.5, 1].map(share => (
        <g key={share}>
          <line x1={left} x2={width - right} y1={y(share)} y2={y(share)} stroke="var(--line)" />
          <text x={left - 6} y={y(share) + 4} textAnchor="end" fontSize={11} fill="var(--ink-2)">
            {formatPercent(share, 0)}
          </text>
          <text x={x(share)} y={height - 8} textAnchor="middle" fontSize={11} fill="var(--ink-2)">
            {share}
          </text>
        </g>
      ))}
      <line x1={x(value)} x2={x(value)} y1={top} y2={height - bottom} stroke="var(--line-strong)" strokeDasharray="2 2" />
      {lines.map(({ key, label, color, dash }, i) => (
        <g key={key}>
          <polyline
            points={curve.map(point => `${x(point.threshold)},${y(point[key])}`).join(' ')}
            fill="none"
            stroke={color}
            strokeWidth={1.5}
            strokeDasharray={dash}
          />
          {last ? (
            <text x={width - right + 8} y={top + 14 + i * 18} fontSize={11} fill={color}>
              {label}
            </text>
          ) : null}
        </g>
      ))}
    </svg>
  )
}
