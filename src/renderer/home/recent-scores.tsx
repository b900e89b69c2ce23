import type { Run } from '../../contract/index.ts'
import { IntervalPlot } from '../../charts/interval-plot.ts'
import { Section } from '../ui/page/page-header.tsx'
import { useRecentScores } from './home.queries.ts'

/** More rows than this are a table's work. */
const MOST_ROWS = 12

export function RecentScores({ runs }: { readonly runs: readonly Run[] }) {
  const scores = useRecentScores(runs).slice(0, MOST_ROWS)
  if (scores.length === 0) return null
  return (
    <Section title="Recent scores">
      <div className="home-plot">
        <IntervalPlot
          title="Primary scores of recent runs with their 95 % intervals"
          rows={scores.map(({ run, metric }) => ({
            label: run.name,
            detail: metric.title,
            mean: metric.estimate.mean,
            low: metric.estimate.interval?.low ?? null,
            high: metric.estimate.interval?.high ?? null,
            n: metric.estimate.n,
            chance: metric.chance_level,
            series: run.model.is_model ? 0 : 'baseline',
          }))}
        />
      </div>
    </Section>
  )
}
