import { attemptsNote, attemptsPlot, quotedMetrics } from '../../charts/attempts-plot.ts'
import { IntervalPlot, intervalPlotTable } from '../../charts/interval-plot.ts'
import { isBiasedScore, type Results } from '../../contract/runs/results.schemas.ts'
import { profileNames } from '../quotes/profile-name.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ChartFigure } from './chart-figure.tsx'

/** pass@k and pass^k of the number that each profile is known by; omitted if each task ran once. */
export function Attempts({ results }: { readonly results: Results }) {
  const { profiles, model } = results.reproducibility
  const nameOf = profileNames(profiles)
  const metrics = quotedMetrics(results.metrics, results.coverage.epochs)
  const plots = profiles
    .filter(({ profile_id: id }) => !isBiasedScore(results, id))
    .flatMap(({ profile_id: id }) => {
      const plot = attemptsPlot(metrics, { id, title: nameOf(id) }, model.is_model ? 0 : 'baseline')
      return plot ? [{ id, plot }] : []
    })
  if (plots.length === 0) return null
  return (
    <Section title="Repeated attempts">
      {plots.map(({ id, plot }) => (
        <ChartFigure key={id} table={intervalPlotTable(plot)}>
          {width => <IntervalPlot {...plot} width={width} />}
        </ChartFigure>
      ))}
      <p className="quiet small prose results-note">{attemptsNote(results)}</p>
    </Section>
  )
}
