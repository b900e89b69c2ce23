import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'
import { formatCount, noNumber } from '../../lib/format/numbers.ts'
import type { Column } from '../ui/table/column.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { availabilities } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const origins: Readonly<Record<Benchmark['origin'], string>> = { bundled: 'Ships with Assay', recipe: 'Recipe', imported: 'Imported' }

/** Tasks over all splits of the latest version; null while the data is missing. */
export function taskCount(benchmark: Pick<Benchmark, 'latest_version'>): number | null {
  const counts = benchmark.latest_version?.task_counts
  return counts ? Object.values(counts).reduce((sum, count) => sum + count, 0) : null
}

export const catalogColumns: readonly Column<Benchmark>[] = [
  {
    id: 'title',
    title: 'Benchmark',
    width: 240,
    grow: true,
    rowHeader: true,
    sortValue: benchmark => benchmark.title,
    cell: benchmark => <UntrustedText text={benchmark.title} layout="prose" />,
  },
  {
    id: 'availability',
    title: 'Availability',
    width: 130,
    sortValue: benchmark => availabilities[benchmark.quote_availability.status].word,
    cell: ({ quote_availability: { status, reasons } }) => <StatusBadge status={availabilities[status]} title={reasons.join(' ')} />,
  },
  { id: 'runner', title: 'Runner', width: 120, sortValue: benchmark => benchmark.runner, cell: benchmark => benchmark.runner },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 76,
    align: 'end',
    sortValue: taskCount,
    cell: benchmark => formatCountOrNone(taskCount(benchmark)),
  },
  {
    id: 'capabilities',
    title: 'Capabilities',
    width: 200,
    cell: benchmark => <UntrustedText text={benchmark.capabilities.join(', ')} layout="prose" />,
  },
  { id: 'origin', title: 'Origin', width: 120, sortValue: benchmark => benchmark.origin, cell: benchmark => origins[benchmark.origin] },
  {
    id: 'license',
    title: 'License',
    width: 110,
    sortValue: benchmark => benchmark.license.name,
    cell: benchmark => <UntrustedText text={benchmark.license.name} layout="prose" />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 90,
    hiddenAtFirst: true,
    sortValue: benchmark => benchmark.status,
    cell: benchmark => benchmark.status,
  },
  {
    id: 'slug',
    title: 'Slug',
    width: 140,
    hiddenAtFirst: true,
    cell: benchmark => <UntrustedText text={benchmark.slug} layout="inline" />,
  },
]

export function formatCountOrNone(count: number | null): string {
  return count === null ? noNumber : formatCount(count)
}
