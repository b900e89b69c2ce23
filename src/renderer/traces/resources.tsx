import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ProviderResource, ResourceKind, TraceIntegration } from '../../contract/traces/integrations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ImportResource } from './import-resource.tsx'
import { useResources } from './traces.queries.ts'

const kinds = [
  { value: 'dataset', label: 'Datasets' },
  { value: 'experiment', label: 'Experiments' },
] as const

/** The provider's datasets and experiments, to be imported. */
export function Resources({ integration }: { readonly integration: TraceIntegration }) {
  const [kind, setKind] = useState<ResourceKind>('dataset')
  const [importing, setImporting] = useState<ProviderResource | null>(null)
  const query = useResources(integration.id, kind, true)
  const rows = allItems(query.data)
  const columns: readonly Column<ProviderResource>[] = [
    {
      id: 'name',
      title: 'Name',
      width: 260,
      grow: true,
      rowHeader: true,
      cell: ({ name }) => <UntrustedText text={name} layout="inline" />,
    },
    {
      id: 'items',
      title: 'Items',
      width: 90,
      align: 'end',
      cell: ({ item_count }) => (item_count === null ? <span className="quiet">–</span> : formatCount(item_count)),
    },
    { id: 'created', title: 'Created', width: 130, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    {
      id: 'import',
      title: 'Import',
      width: 100,
      cell: resource => (
        <Button size="compact-xs" variant="default" aria-label={`Import ${resource.name}`} onClick={() => setImporting(resource)}>
          Import
        </Button>
      ),
    },
  ]
  return (
    <Section
      title="Datasets and experiments"
      aside={
        <SegmentedControl
          size="xs"
          data={[...kinds]}
          value={kind}
          onChange={value => setKind(value === 'experiment' ? 'experiment' : 'dataset')}
        />
      }
    >
      {query.isPending ? <LinesSkeleton /> : null}
      {query.isError && !query.data ? (
        <ErrorState error={query.error} title={`Couldn’t load the provider’s ${kind}s`} onRetry={() => void query.refetch()} />
      ) : null}
      {query.isSuccess && rows.length === 0 ? <EmptyState title={`No ${kind}s in this project`} /> : null}
      {rows.length > 0 ? (
        <PlainTable label={kind === 'dataset' ? 'Datasets' : 'Experiments'} columns={columns} rows={rows} rowId={({ id }) => id} />
      ) : null}
      <LoadMore query={query} />
      {importing ? <ImportResource integrationId={integration.id} resource={importing} onClose={() => setImporting(null)} /> : null}
    </Section>
  )
}
