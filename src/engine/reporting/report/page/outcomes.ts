import { createElement as h, type ReactElement } from 'react'
import { OutcomeBar, outcomeBarTable } from '../../../../charts/outcome-bar.ts'
import { outcomeLooks } from '../../../../charts/outcome-looks.ts'
import { failureCodes } from '../../../../contract/runs/failure-codes.ts'
import { failureLabel } from '../../../../contract/runs/failure-labels.ts'
import type { Results } from '../../../../contract/runs/results.schemas.ts'
import { outcomeCodes } from '../../../../contract/runs/samples.schemas.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import type { SampleTally } from '../sample-tally.ts'
import { chartFigure, section, table, untrusted } from './elements.ts'

/** How every frozen sample ended, and why some have no score. */
export function outcomes(results: Results, tally: SampleTally): ReactElement {
  const { coverage, usage } = results
  const n = (verdict: keyof typeof outcomeLooks): number => tally.counts.get(outcomeCodes[verdict]) ?? 0
  const bar = {
    title: `How ${formatCount(coverage.frozen)} samples ended`,
    width: 760,
    outcomes: [
      { label: 'correct', count: n('correct'), ...outcomeLooks.correct },
      { label: 'wrong', count: n('wrong'), ...outcomeLooks.wrong },
      { label: 'partial', count: n('partial'), ...outcomeLooks.partial },
      { label: 'unscored', count: n('unscored'), ...outcomeLooks.unscored },
      { label: 'failed', count: coverage.failed, ...outcomeLooks.failed },
      { label: 'not run: excluded', count: coverage.excluded, ...outcomeLooks.missing },
      { label: 'not run', count: coverage.missing, ...outcomeLooks.missing },
      { label: 'not run: cancelled', count: coverage.cancelled, ...outcomeLooks.missing },
    ],
  }
  return section(
    'outcomes',
    'Outcomes and errors',
    chartFigure(OutcomeBar(bar), outcomeBarTable(bar)),
    h('p', null, `${formatCount(usage.model_calls)} model calls, ${formatCount(usage.retries)} of them beyond the first of their sample.`),
    results.errors.length === 0
      ? h('p', null, 'No sample ended with an error.')
      : table(
          'Errors by kind',
          [
            { label: 'Error' },
            { label: 'Samples', numeric: true },
            { label: 'Meaning' },
            { label: 'First message' },
            { label: 'First sample' },
          ],
          results.errors.map(error => [
            untrusted(failureLabel(error.code)),
            formatCount(error.count),
            meaning(error.code),
            untrusted(error.message),
            h('a', { href: `#sample-${error.sample_id}` }, 'show'),
          ]),
        ),
  )
}

function meaning(errorCode: string): string {
  const known = Object.entries(failureCodes).find(([name]) => name === errorCode)
  return known?.[1].meaning ?? ''
}
