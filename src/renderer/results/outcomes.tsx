import { OutcomeBar, outcomeBarTable, type OutcomeBarProps } from '../../charts/outcome-bar.ts'
import { outcomeLooks } from '../../charts/outcome-looks.ts'
import type { Results } from '../../contract/runs/results.schemas.ts'
import { outcomeCodes } from '../../contract/runs/samples.schemas.ts'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { ChartFigure } from './chart-figure.tsx'

const verdicts = ['correct', 'wrong', 'partial', 'unscored'] as const
const withoutScore = ['failed', 'excluded', 'missing', 'cancelled'] as const

interface OutcomesProps {
  readonly results: Results
  /** A letter per sample; undefined for an older version of the results, and until they have arrived. */
  readonly codes: string | undefined
}

/** How every sample ended. */
export function Outcomes({ results: { coverage, run_id: runId }, codes }: OutcomesProps) {
  const address = (filter: string): string => `/runs/${runId}/samples?${filter}`
  const scored =
    codes === undefined
      ? [
          {
            label: sampleStatuses.scored.word.toLowerCase(),
            count: coverage.scored,
            tone: 'running',
            sign: 'full',
            href: address('status=scored'),
          } as const,
        ]
      : verdicts.map(verdict => ({
          label: verdict,
          count: codes.split(outcomeCodes[verdict]).length - 1,
          href: address(`outcome=${verdict}`),
          ...outcomeLooks[verdict],
        }))
  const props: OutcomeBarProps = {
    title: 'Samples by outcome',
    outcomes: [
      ...scored,
      ...withoutScore.map(status => ({
        label: sampleStatuses[status].word.toLowerCase(),
        count: coverage[status],
        href: address(`status=${status}`),
        ...outcomeLooks[status === 'failed' ? 'failed' : 'missing'],
      })),
    ],
  }
  return <ChartFigure table={outcomeBarTable(props)}>{width => <OutcomeBar {...props} width={width} />}</ChartFigure>
}
