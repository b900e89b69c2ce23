import type { Difference } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { methodName } from '../../lib/format/interval-methods.ts'
import { formatP, testName } from '../../lib/format/p-values.ts'
import { formatDifference, formatDifferenceInterval, formatLevel, formatPercent } from '../../lib/format/percent.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { verdicts } from './compare-words.ts'
import type { Contender } from './use-contender.ts'

interface DifferencesTableProps {
  readonly rows: readonly Difference[]
  /** Names of the profiles by their ids. */
  readonly names: ReadonlyMap<string, string>
  readonly contender: Contender
}

/** Every metric with all that it must be read with. */
export function DifferencesTable({ rows, names, contender: { baseline, chosen } }: DifferencesTableProps) {
  return (
    <>
      <PlainTable
        label={`Differences of ${chosen.label} from ${baseline.label}`}
        columns={columnsWith(names)}
        rows={rows}
        rowId={row => `${row.profile_id ?? 'all'} ${row.metric ?? 'primary'}`}
      />
      <ul className="small results-remarks">
        {[...new Set(rows.flatMap(row => [...row.cautions, ...(row.reason === null ? [] : [row.reason])]))].map(remark => (
          <li key={remark}>
            <UntrustedText text={remark} layout="prose" />
          </li>
        ))}
      </ul>
      <p className="compare-note">
        The verdict uses p adjusted by Holm for all differences of this comparison. A true difference below the detectable one would be
        missed more than one time in five; “not shown” is not “equal”.
      </p>
    </>
  )
}

function columnsWith(names: ReadonlyMap<string, string>): readonly Column<Difference>[] {
  return [{ ...metricColumn, cell: row => <MetricCell row={row} name={names.get(row.profile_id ?? '') ?? row.title} /> }, ...figures]
}

const metricColumn = { id: 'metric', title: 'Metric', width: 190, grow: true, rowHeader: true } as const

function MetricCell({ row, name }: { readonly row: Difference; readonly name: string }) {
  return (
    <>
      <UntrustedText text={name} layout="prose" />
      <div className="quiet">
        <UntrustedText text={row.metric_title} layout="prose" />
        {row.headline ? ' (headline)' : ''}
        {row.test === null ? '' : `, ${testName(row.test)}`}
        {row.clustered_by === null ? null : (
          <>
            {', clustered by '}
            <UntrustedText text={row.clustered_by} layout="prose" />
          </>
        )}
      </div>
    </>
  )
}

const figures: readonly Column<Difference>[] = [
  { id: 'verdict', title: 'Verdict', width: 100, cell: row => <StatusBadge status={verdicts[row.verdict]} /> },
  { id: 'baseline', title: 'Baseline', width: 72, align: 'end', cell: row => formatPercent(row.baseline_mean) },
  { id: 'contender', title: 'Contender', width: 78, align: 'end', cell: row => formatPercent(row.contender_mean) },
  {
    id: 'difference',
    title: 'Difference',
    width: 120,
    align: 'end',
    cell: row => (
      <span title={row.interval ? `${formatLevel(row.interval.level)} interval, ${methodName(row.interval.method)}` : undefined}>
        {formatDifference(row.difference)}
        <div className="quiet">{formatDifferenceInterval({ mean: row.difference, interval: row.interval }).split(' points ')[1]}</div>
      </span>
    ),
  },
  {
    id: 'p',
    title: 'p, Holm',
    width: 104,
    align: 'end',
    cell: row => (
      <>
        {formatP(row.p_adjusted)}
        <div className="quiet">{formatP(row.p)} alone</div>
      </>
    ),
  },
  {
    id: 'mde',
    title: 'Detectable difference',
    width: 104,
    align: 'end',
    cell: row => formatDifference(row.minimum_detectable_difference).replace('+', ''),
  },
  {
    id: 'wins',
    title: 'Won, lost, tied',
    width: 116,
    align: 'end',
    cell: row => `${formatCount(row.wins)}, ${formatCount(row.losses)}, ${formatCount(row.ties)}`,
  },
  { id: 'n', title: 'n', width: 56, align: 'end', cell: row => formatCount(row.n) },
]
