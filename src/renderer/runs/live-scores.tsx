import { CumulativeScore, cumulativeScoreTable } from '../../charts/cumulative-score.ts'
import { Sparkline, sparklineTable } from '../../charts/sparkline.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import type { RunEvents } from '../api/live-events.ts'
import { formatNumber } from '../../lib/format/numbers.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { scoreCurves, throughput } from './score-curve.ts'

/** Scores of a run while it works. They move until the last sample: the final ones come with the result. */
export function LiveScores({ run, events }: { readonly run: Run; readonly events: RunEvents }) {
  const curves = { title: 'Score so far', series: scoreCurves(run, events.scores) }
  return (
    <Section title="Score as samples arrive">
      <ChartFigure table={cumulativeScoreTable(curves)}>{width => <CumulativeScore {...curves} width={width} />}</ChartFigure>
      <p className="quiet small prose runs-note">
        From the moment this page was opened. Samples come in the order in which they are answered, so the first ones are not a fair sample
        of all. The band is the 95 % Wilson interval; profiles with several epochs or scores between 0 and 1 get their interval with the
        result.
      </p>
    </Section>
  )
}

export function Throughput({ events }: { readonly events: RunEvents }) {
  const speed = { title: 'Samples scored per second', values: throughput(events.scores), format: perSecond }
  return (
    <Section title="Throughput">
      <ChartFigure table={sparklineTable(speed)} maxWidth={480}>
        {width => <Sparkline {...speed} width={width} />}
      </ChartFigure>
    </Section>
  )
}

function perSecond(value: number): string {
  return `${formatNumber(value, 1)} per second`
}
