import { wilsonBand } from '../../charts/wilson-band.ts'
import type { Quote } from '../../contract/quotes/quotes.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { profileNames } from './profile-name.ts'

type Line = Quote['statistics'][number]

export function QuoteStatistics({ quote }: { readonly quote: Quote }) {
  const nameOf = profileNames(quote.profiles)
  const columns: readonly Column<Line>[] = [
    {
      id: 'profile',
      title: 'Profile',
      width: 200,
      grow: true,
      rowHeader: true,
      cell: line => <UntrustedText text={nameOf(line.profile_id)} layout="prose" />,
    },
    { id: 'n', title: 'Tasks (n)', width: 90, align: 'end', cell: line => formatCount(line.n) },
    { id: 'width', title: 'A score of 50 % would read', width: 180, align: 'end', cell: line => aroundHalf(line.n) },
    { id: 'difference', title: 'Detectable difference', width: 180, align: 'end', cell: line => detectable(line) },
  ]
  return (
    <>
      <PlainTable label="What a run of this size can tell" columns={columns} rows={quote.statistics} rowId={line => line.profile_id} />
      <p className="quotes-note">
        A smaller difference between two models that are each right half of the time and err independently, on the same tasks, would be
        missed more than one time in five (80 % power, two-sided 5 % level; exact McNemar test for one epoch). Epochs at temperature 0 count
        as one.
      </p>
    </>
  )
}

function aroundHalf(n: number): string {
  const band = wilsonBand(0.5, n)
  return band ? `50.0 % ± ${formatNumber((band.high - 0.5) * 100, 1)}` : '–'
}

function detectable({ minimum_detectable_difference: difference }: Line): string {
  return difference === null ? 'too few tasks' : `${formatNumber(difference * 100, 1)} points`
}
