import type { RunActivity } from '../../contract/runs/runs.schemas.ts'

const width = 192
const height = 12

/** Calls at a time, on the line from none to what the connection allows: those in flight, and the limit found so far. */
export function ConcurrencyBar({ endpoint: { active, limit, most } }: { readonly endpoint: RunActivity['endpoint'] }) {
  const x = (calls: number): number => (Math.min(calls, most) / most) * width
  return (
    <svg className="runs-concurrency" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <rect x={0} y={4} width={width} height={4} rx={2} fill="var(--hover)" />
      <rect x={0} y={4} width={x(active)} height={4} rx={2} fill="var(--running)" />
      <rect x={Math.max(0, x(limit) - 2)} y={0} width={2} height={height} fill="var(--ink)" />
    </svg>
  )
}
