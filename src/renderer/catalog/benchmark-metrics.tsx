import type { Metric, Profile } from '../../contract/catalog/benchmarks.schemas.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

interface MetricRow {
  readonly profile: string
  readonly profileId: string
  readonly metric: Metric
}

const columns: readonly Column<MetricRow>[] = [
  {
    id: 'metric',
    title: 'Metric',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ metric }) => <UntrustedText text={metric.title} layout="prose" />,
  },
  { id: 'profile', title: 'Profile', width: 200, cell: ({ profile }) => <UntrustedText text={profile} layout="prose" /> },
  {
    id: 'scorer',
    title: 'Scorer',
    width: 240,
    cell: ({ metric }) => (
      <span className="mono">
        {metric.scorer} v{metric.scorer_version}
      </span>
    ),
  },
  { id: 'values', title: 'Values', width: 100, cell: ({ metric }) => (metric.binary ? 'right or wrong' : '0 to 1') },
  { id: 'primary', title: 'Role', width: 90, cell: ({ metric }) => (metric.primary ? 'primary' : '') },
]

export function BenchmarkMetrics({ profiles }: { readonly profiles: readonly Profile[] }) {
  const rows = profiles.flatMap(profile => profile.metrics.map(metric => ({ profile: profile.title, profileId: profile.id, metric })))
  return (
    <Section title="Metrics">
      <PlainTable label="Metrics" columns={columns} rows={rows} rowId={row => `${row.profileId} ${row.metric.id}`} />
    </Section>
  )
}
