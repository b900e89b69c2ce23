import type { Estimate } from '../../contract/runs/results.schemas.ts'

const width = 72
const height = 14
const middle = height / 2
const margin = 4

interface MiniIntervalProps {
  readonly estimate: Estimate
  /** Gray says "not a model", as in every picture. */
  readonly baseline: boolean
}

/** A score on the line from 0 to 100 %, its interval first and the point on top. The figures are shown beside it as text. */
export function MiniInterval({ estimate: { mean, interval }, baseline }: MiniIntervalProps) {
  const color = baseline ? 'var(--chart-baseline)' : 'var(--chart-series-1)'
  const x = (value: number): number => margin + value * (width - 2 * margin)
  return (
    <svg className="runs-mini" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <path d={`M${x(0)} ${middle}H${x(1)}`} stroke="var(--line-strong)" />
      {interval ? <path d={`M${x(interval.low)} ${middle}H${x(interval.high)}`} stroke={color} strokeWidth={3} /> : null}
      {mean === null ? null : <circle cx={x(mean)} cy={middle} r={2.5} fill={color} />}
    </svg>
  )
}
