import { createElement as h, type ReactElement } from 'react'
import type { Tone } from '../../../../charts/colors.ts'
import { OutcomeBar, outcomeBarTable } from '../../../../charts/outcome-bar.ts'
import { failureCodes } from '../../../../contract/runs/failure-codes.ts'
import { failureLabel } from '../../../../contract/runs/failure-labels.ts'
import type { Results } from '../../../../contract/runs/results.schemas.ts'
import { sampleOutcomes } from '../../../../contract/runs/run.machine.ts'
import { formatCount } from '../../../../lib/format/numbers.ts'
import { chartFigure, section, table, untrusted } from './elements.ts'

const tones: Record<(typeof sampleOutcomes)[number], Tone> = {
  // Right and wrong alike.
  scored: 'running',
  failed: 'fail',
  excluded: 'neutral',
  missing: 'human',
  cancelled: 'unscored',
}

/** How every frozen sample ended, and why some have no score. */
export function outcomes(results: Results): ReactElement {
  const { coverage, usage } = results
  const bar = {
    title: `How ${formatCount(coverage.frozen)} samples ended`,
    width: 760,
    outcomes: sampleOutcomes.map(outcome => ({ label: outcome, count: coverage[outcome], tone: tones[outcome] })),
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
