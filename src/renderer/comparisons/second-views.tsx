import type { Difference } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatNumber, noNumber } from '../../lib/format/numbers.ts'
import { formatP, formatProbability } from '../../lib/format/p-values.ts'
import { formatDifferenceInterval, formatPercent } from '../../lib/format/percent.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface SecondViewsProps {
  readonly rows: readonly Difference[]
  /** Names of the profiles by their ids. */
  readonly names: ReadonlyMap<string, string>
}

/** Bayesian and one-sided views of the differences, and how far the two runs agree; nothing for comparisons that lack them. */
export function SecondViews({ rows, names }: SecondViewsProps) {
  const shown = rows.filter(({ posterior, one_sided: oneSided, agreement }) => posterior || oneSided || agreement)
  if (shown.length === 0) return null
  const columns: readonly Column<Difference>[] = [
    {
      id: 'metric',
      title: 'Metric',
      width: 190,
      grow: true,
      rowHeader: true,
      cell: row => (
        <>
          <UntrustedText text={names.get(row.profile_id ?? '') ?? row.title} layout="prose" />
          <div className="quiet">
            <UntrustedText text={row.metric_title} layout="prose" />
          </div>
        </>
      ),
    },
    {
      id: 'better',
      title: 'P(better)',
      width: 90,
      align: 'end',
      cell: ({ posterior }) => formatProbability(posterior?.probability_better ?? null),
    },
    {
      id: 'credible',
      title: 'Credible interval',
      width: 190,
      align: 'end',
      cell: ({ posterior, difference }) =>
        posterior ? formatDifferenceInterval({ mean: difference, interval: posterior }).split(' points ')[1] : noNumber,
    },
    {
      id: 'one-sided',
      title: 'One-sided p: better, worse',
      width: 170,
      align: 'end',
      cell: ({ one_sided: oneSided }) => (oneSided ? `${formatP(oneSided.p_better)}, ${formatP(oneSided.p_worse)}` : noNumber),
    },
    {
      id: 'agreement',
      title: 'Same verdict',
      width: 100,
      align: 'end',
      cell: ({ agreement }) => formatPercent(agreement?.observed ?? null),
    },
    {
      id: 'kappa',
      title: 'Kappa',
      width: 140,
      align: 'end',
      cell: ({ agreement }) => <span title={agreement?.reason ?? undefined}>{kappaOf(agreement)}</span>,
    },
  ]
  return (
    <>
      <PlainTable
        label="Bayesian and one-sided"
        columns={columns}
        rows={shown}
        rowId={row => `${row.profile_id ?? 'all'} ${row.metric ?? 'primary'}`}
      />
      <p className="compare-note">
        P(better) and the credible interval start from a uniform prior. One-sided p-values are not adjusted; they count only if the side was
        chosen before the runs. Kappa is the agreement of the two runs’ verdicts beyond chance.
      </p>
    </>
  )
}

function kappaOf(agreement: Difference['agreement']): string {
  if (!agreement || agreement.kappa === null) return noNumber
  const { kappa, low, high } = agreement
  const text = formatNumber(kappa, 2)
  return low === null || high === null ? text : `${text} [${formatNumber(low, 2)}, ${formatNumber(high, 2)}]`
}
