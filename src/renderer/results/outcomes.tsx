import { OutcomeBar, outcomeBarTable, type OutcomeBarProps } from '../../charts/outcome-bar.ts'
import { type Results, sampleOutcomes } from '../../contract/index.ts'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { ChartFigure } from './chart-figure.tsx'

const tones = { scored: 'running', failed: 'fail', excluded: 'neutral', missing: 'unscored', cancelled: 'neutral' } as const

export function Outcomes({ results: { coverage, run_id: runId } }: { readonly results: Results }) {
  const props: OutcomeBarProps = {
    title: 'Samples by outcome',
    outcomes: sampleOutcomes.map(outcome => ({
      label: sampleStatuses[outcome].word,
      count: coverage[outcome],
      tone: tones[outcome],
      href: `/runs/${runId}/samples?status=${outcome}`,
    })),
  }
  return <ChartFigure table={outcomeBarTable(props)}>{width => <OutcomeBar {...props} width={width} />}</ChartFigure>
}
