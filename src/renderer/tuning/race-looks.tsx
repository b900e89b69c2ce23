import { type DifferenceGroup, PairedDifference, pairedDifferenceTable } from '../../charts/paired-difference.ts'
import type { TuneGroup } from '../../contract/tuning/race.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { ChartFigure } from '../results/chart-figure.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { levelText, marginText } from './tuning-words.ts'

/** Every candidate's difference from the current call at each of its looks, against the acceptable loss. */
export function RaceLooks({ group }: { readonly group: TuneGroup }) {
  const groups = group.arms
    .filter(({ current, looks }) => !current && looks.length > 0)
    .map(
      ({ label, looks }, series): DifferenceGroup => ({
        heading: label,
        rows: looks.map(({ look, n, difference: { mean, interval } }) => ({
          label: `Look ${look}, n = ${formatCount(n)}`,
          ...(interval && { detail: `${levelText(interval.level)} interval` }),
          n,
          difference: mean,
          low: interval?.low ?? null,
          high: interval?.high ?? null,
          series,
        })),
      }),
    )
  if (groups.length === 0)
    return group.status === 'running' ? (
      <p className="quiet">The first look comes after {formatCount(group.looks[0] ?? group.cases)} cases.</p>
    ) : null
  const plot = { title: 'Difference by look', groups, baseline: 'current', limit: { at: -group.margin, label: 'acceptable loss' } }
  return (
    <Section title="Difference by look">
      <ChartFigure table={pairedDifferenceTable(plot)}>{width => <PairedDifference {...plot} width={width} />}</ChartFigure>
      <p className="quotes-note">
        A candidate is accepted at the look at which its interval lies wholly above the loss of {marginText(group.margin)}. The looks share
        the error rate, and early ones get the least of it. A missing score counts against the candidate.
      </p>
    </Section>
  )
}
