import { IntervalPlot, intervalPlotTable } from '../../charts/interval-plot.ts'
import { isBiasedScore, type MetricResult, type Results } from '../../contract/runs/results.schemas.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { Section } from '../ui/page/page-header.tsx'
import { Answer } from './answer.tsx'
import { ChartFigure } from './chart-figure.tsx'
import { headlineMetrics } from './headline-metrics.ts'

/** The number that each profile is known by, then every metric on one axis where there are several. */
export function Headline({ results }: { readonly results: Results }) {
  const nameOf = profileNames(results.reproducibility.profiles)
  const several = results.reproducibility.profiles.length > 1
  const plot = {
    title: 'Scores with 95 % intervals',
    rows: results.metrics
      .filter(metric => !metric.attempts && !isBiasedScore(results, metric.profile_id))
      .map(metric => plotRow(metric, several ? nameOf(metric.profile_id) : null, results)),
  }
  return (
    <Section title="Score">
      <dl className="results-headline">
        {headlineMetrics(results).map(metric => (
          <Answer key={metric.profile_id} results={results} metric={metric} name={nameOf(metric.profile_id)} />
        ))}
      </dl>
      {plot.rows.length > 1 ? (
        <ChartFigure table={intervalPlotTable(plot)}>{width => <IntervalPlot {...plot} width={width} />}</ChartFigure>
      ) : null}
    </Section>
  )
}

/** @param profile null where there is only one, which the heading names */
function plotRow({ estimate, title, chance_level: chance }: MetricResult, profile: string | null, { reproducibility }: Results) {
  return {
    ...(profile === null ? { label: title } : { label: profile, detail: title }),
    n: estimate.n,
    mean: estimate.mean,
    low: estimate.interval?.low ?? null,
    high: estimate.interval?.high ?? null,
    chance,
    // Gray says "not a model" in every picture, as the words in the heading do.
    series: reproducibility.model.is_model ? 0 : ('baseline' as const),
  }
}
