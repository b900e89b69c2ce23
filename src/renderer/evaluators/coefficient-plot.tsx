import type { ChartTable } from '../../charts/frame.ts'
import type { Estimate } from '../../contract/runs/results.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { ChartFigure } from '../results/chart-figure.tsx'

interface CoefficientRow {
  readonly label: string
  readonly estimate: Estimate
  /** What the lower end must reach, where that is asked. */
  readonly minimum?: number
}

const rowHeight = 44
const [left, right] = [180, 190]

/** Coefficients of agreement with their intervals: 0 is chance, 1 is full agreement. */
export function CoefficientPlot({ rows }: { readonly rows: readonly CoefficientRow[] }) {
  const table: ChartTable = {
    caption: 'Coefficients of agreement',
    columns: [
      { label: 'Coefficient', numeric: false },
      { label: 'Value', numeric: true },
      { label: 'Interval', numeric: true },
      { label: 'n', numeric: true },
    ],
    rows: rows.map(({ label, estimate }) => [label, valueText(estimate), rangeText(estimate), formatCount(estimate.n)]),
  }
  return (
    <ChartFigure table={table} maxWidth={1040}>
      {width => <Plot rows={rows} width={width} />}
    </ChartFigure>
  )
}

function Plot({ rows, width }: { readonly rows: readonly CoefficientRow[]; readonly width: number }) {
  const least = Math.min(0, ...rows.flatMap(({ estimate }) => [estimate.mean ?? 0, estimate.interval?.low ?? 0]))
  const from = Math.max(-1, Math.floor(least * 5) / 5)
  const x = (value: number) => left + ((Math.max(from, Math.min(1, value)) - from) / (1 - from)) * (width - left - right)
  const bottom = rows.length * rowHeight
  const ticks = Array.from({ length: Math.round((1 - from) * 5) + 1 }, (_, i) => Math.round((from + i / 5) * 10) / 10)
  const text = rows.map(({ label, estimate }) => `${label}: ${valueText(estimate)} ${rangeText(estimate)}`).join('; ')
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an svg that is drawn here is not an img element
    <svg width={width} height={bottom + 24} role="img" aria-label={text}>
      {ticks.map(tick => (
        <g key={tick}>
          <line x1={x(tick)} x2={x(tick)} y1={0} y2={bottom} stroke={tick === 0 ? 'var(--line-strong)' : 'var(--line)'} />
          <text x={x(tick)} y={bottom + 16} textAnchor="middle" fontSize={11} fill="var(--ink-2)">
            {formatNumber(tick, Number.isInteger(tick) ? 0 : 1)}
          </text>
        </g>
      ))}
      {rows.map(({ label, estimate: { mean, interval, n }, minimum }, i) => {
        const y = (i + 0.5) * rowHeight
        return (
          <g key={label}>
            <text x={0} y={minimum === undefined ? y + 4 : y - 2} fontSize={12} fontWeight={500} fill="var(--ink)">
              {label} <tspan fill="var(--ink-2)">n = {formatCount(n)}</tspan>
            </text>
            {minimum === undefined ? null : (
              <>
                <text x={0} y={y + 13} fontSize={11} fill="var(--ink-2)">
                  minimum {minimum}
                </text>
                <line x1={x(minimum)} x2={x(minimum)} y1={y - 14} y2={y + 14} stroke="var(--warn)" strokeDasharray="3 2" />
              </>
            )}
            {interval ? (
              <path
                d={`M${x(interval.low)} ${y - 5}v10m0 -5H${x(interval.high)}m0 -5v10`}
                stroke="var(--series-blue)"
                strokeWidth={2}
                fill="none"
              />
            ) : null}
            {mean === null ? null : <circle cx={x(mean)} cy={y} r={5} fill="var(--series-blue)" />}
            <text x={width - right + 14} y={y + 4} fontSize={12} fill="var(--ink)">
              {mean === null
                ? 'undefined'
                : `${formatNumber(mean, 3)} ${interval ? `[${formatNumber(interval.low, 3)}, ${formatNumber(interval.high, 3)}]` : ''}`}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

function valueText({ mean }: Estimate): string {
  return mean === null ? 'undefined' : formatNumber(mean, 3)
}

function rangeText({ interval }: Estimate): string {
  return interval ? `${formatNumber(interval.low, 3)} to ${formatNumber(interval.high, 3)}` : '–'
}
