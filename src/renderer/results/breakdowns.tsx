import { BreakdownPlot, breakdownPlotTable, type BreakdownPlotProps } from '../../charts/breakdown-plot.ts'
import { labelTables } from '../../contract/runs/label-table.ts'
import type { Breakdown, Results } from '../../contract/runs/results.schemas.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { titleOfAttack } from '../worlds/attack-titles.ts'
import { partAddress } from '../samples/breakdown-part.ts'
import { Section } from '../ui/page/page-header.tsx'
import { LabelShares } from './label-shares.tsx'
import { ChartFigure } from './chart-figure.tsx'
import { MacroMeans } from './macro-means.tsx'
import { headlineMetrics } from './headline-metrics.ts'

/** The primary score of each profile by every dimension that its tasks have. */
export function Breakdowns({ results, latest }: { readonly results: Results; readonly latest: boolean }) {
  const nameOf = profileNames(results.reproducibility.profiles)
  const plots = headlineMetrics(results).flatMap(({ profile_id: profile, metric, estimate }) => {
    const rows = results.breakdowns.filter(row => row.profile_id === profile && row.metric === metric)
    return rows.length > 0 ? [{ profile, title: nameOf(profile), overall: estimate.mean, rows }] : []
  })
  if (plots.length === 0 && labelTables(results).length === 0) return null
  return (
    <Section title="Breakdowns">
      {plots.map(({ profile, title, overall, rows }) => (
        <BreakdownFigure
          key={profile}
          title={`${title} by part`}
          overall={overall}
          rows={rows}
          runId={latest ? results.run_id : null}
          isBaseline={!results.reproducibility.model.is_model}
        />
      ))}
      <MacroMeans results={results} />
      <LabelShares results={results} latest={latest} />
      <p className="quiet small prose results-note">
        Parts are smaller than the whole, so their intervals are wider; among many parts some differ by chance alone.
      </p>
    </Section>
  )
}

function BreakdownFigure({
  title,
  overall,
  rows,
  runId,
  isBaseline,
}: {
  readonly title: string
  readonly overall: number | null
  readonly rows: readonly Breakdown[]
  /** Null for a version whose samples are not listed any more. */
  readonly runId: string | null
  readonly isBaseline: boolean
}) {
  const props: BreakdownPlotProps = {
    title,
    overall,
    isBaseline,
    groups: [...Map.groupBy(rows, row => row.dimension)].map(([dimension, parts]) => ({
      dimension,
      rows: parts.map(({ profile_id, value, estimate: { n, mean, interval } }) => ({
        label: dimension === 'attack' ? titleOfAttack(value) : value,
        n,
        mean,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        href: runId === null ? undefined : partAddress(runId, profile_id, { dimension, value }),
      })),
    })),
  }
  return <ChartFigure table={breakdownPlotTable(props)}>{width => <BreakdownPlot {...props} width={width} />}</ChartFigure>
}
