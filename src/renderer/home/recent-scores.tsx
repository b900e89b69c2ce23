import { useMemo } from 'react'
import type { Run } from '../../contract/index.ts'
import { IntervalPlot, type IntervalRow, intervalPlotTable } from '../../charts/interval-plot.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { type RecentScore, useRecentScores } from './home.queries.ts'

/** More rows than this are a table's work. */
const MOST_ROWS = 12
const title = 'Primary scores of recent runs with their 95 % intervals'

export function RecentScores({ runs }: { readonly runs: readonly Run[] }) {
  const scores = useRecentScores(runs)
  const rows = useMemo(() => scores.slice(0, MOST_ROWS).map(toRow), [scores])
  if (rows.length === 0) return null
  return (
    <Section title="Recent scores">
      <ChartFigure table={intervalPlotTable({ title, rows })}>
        {width => <IntervalPlot title={title} rows={rows} width={width} />}
      </ChartFigure>
    </Section>
  )
}

function toRow({ run, metric }: RecentScore): IntervalRow {
  const profile = run.profiles.find(({ profile_id }) => profile_id === metric.profile_id)
  const { mean, interval, n } = metric.estimate
  return {
    label: run.name,
    detail: profile ? `${profileName(profile)}, ${metric.title}` : metric.title,
    mean,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    n,
    chance: metric.chance_level,
    series: run.model.is_model ? 0 : 'baseline',
    href: `/runs/${run.id}`,
  }
}
