import { isBiasedScore, type MacroMean, type Results } from '../../contract/runs/results.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatInterval, formatPercent, formatStandardError } from '../../lib/format/percent.ts'
import { profileNames } from '../quotes/profile-name.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

/** Means that count every group the same; nothing where results have no groups. */
export function MacroMeans({ results }: { readonly results: Results }) {
  const rows = (results.macro_means ?? []).filter(({ profile_id: id }) => !isBiasedScore(results, id))
  if (rows.length === 0) return null
  const nameOf = profileNames(results.reproducibility.profiles)
  const columns: readonly Column<MacroMean>[] = [
    {
      id: 'groups',
      title: 'Groups',
      width: 220,
      grow: true,
      rowHeader: true,
      cell: row => <UntrustedText text={`${nameOf(row.profile_id)}, by ${row.dimension}`} layout="prose" />,
    },
    { id: 'mean', title: 'Macro mean', width: 96, align: 'end', cell: row => formatPercent(row.mean) },
    { id: 'interval', title: '95 % interval', width: 130, align: 'end', cell: row => formatInterval(row.interval) },
    { id: 'error', title: 'Std. error', width: 90, align: 'end', cell: row => formatStandardError(row.standard_error) },
    { id: 'count', title: 'Number of groups', width: 120, align: 'end', cell: row => formatCount(row.groups) },
  ]
  return (
    <>
      <PlainTable label="Macro means" columns={columns} rows={rows} rowId={row => `${row.profile_id} ${row.dimension}`} />
      <p className="quiet small prose results-note">A macro mean counts every group the same, whatever its size.</p>
    </>
  )
}
