import type { Comparison, LabelDifference } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatP } from '../../lib/format/p-values.ts'
import { formatDifferenceInterval, formatScore } from '../../lib/format/percent.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { Contender } from './use-contender.ts'

interface LabelDifferencesProps {
  readonly comparison: Comparison
  readonly contender: Contender
}

/** How often each label was given by the two runs, overall and by group; nothing where no metric gives labels. */
export function LabelDifferences({ comparison, contender: { chosen, baseline } }: LabelDifferencesProps) {
  const shown = (comparison.label_differences ?? []).filter(row => row.contender_id === chosen.id)
  if (shown.length === 0) return null
  return (
    <Section title="Labels">
      {[...Map.groupBy(shown, row => JSON.stringify([row.profile_id, row.metric]))].map(([key, rows]) => {
        const profile = comparison.profiles.find(one => one.profile_id === rows[0]?.profile_id)
        const title = `Labels of ${rows[0]?.metric_title ?? ''}${comparison.profiles.length > 1 ? `, ${profile?.title ?? ''}` : ''}`
        return (
          <div key={key}>
            <p className="results-chart-title">
              <UntrustedText text={title} layout="prose" />
            </p>
            <PlainTable
              label={title}
              columns={columnsOf(baseline.label, chosen.label)}
              rows={rows}
              rowId={row => JSON.stringify([row.dimension, row.value, row.label])}
            />
          </div>
        )
      })}
      <p className="compare-note">
        Shares of the tasks that have a label in both runs, each with its interval, and the paired difference. p is adjusted by Benjamini
        and Hochberg over all rows of this contender.
      </p>
    </Section>
  )
}

function columnsOf(baseline: string, contender: string): Column<LabelDifference>[] {
  return [
    {
      id: 'group',
      title: 'Group',
      width: 150,
      grow: true,
      rowHeader: true,
      cell: ({ dimension, value }) => (dimension === null ? 'All' : <UntrustedText text={`${dimension}: ${value ?? ''}`} layout="prose" />),
    },
    { id: 'label', title: 'Label', width: 120, cell: ({ label }) => <UntrustedText text={label} layout="prose" /> },
    share('baseline', baseline),
    share('contender', contender),
    {
      id: 'difference',
      title: 'Difference',
      width: 190,
      align: 'end',
      cell: row => (
        <span title={row.reason ?? undefined}>{formatDifferenceInterval({ mean: row.difference, interval: row.interval })}</span>
      ),
    },
    { id: 'p', title: 'p, adjusted', width: 84, align: 'end', cell: row => formatP(row.p_adjusted) },
    { id: 'n', title: 'n', width: 62, align: 'end', cell: ({ n }) => formatCount(n) },
  ]
}

function share(side: 'baseline' | 'contender', title: string): Column<LabelDifference> {
  return {
    id: side,
    title,
    head: <UntrustedText text={title} layout="prose" />,
    width: 150,
    align: 'end',
    cell: row => formatScore(row[side], true),
  }
}
