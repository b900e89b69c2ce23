import type { DatasetImportSummary } from '../../contract/datasets/dataset-imports.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { importStatuses } from './dataset-words.ts'
import { useImports } from './datasets.queries.ts'

const columns: readonly Column<DatasetImportSummary>[] = [
  {
    id: 'file',
    title: 'File',
    width: 200,
    grow: true,
    rowHeader: true,
    cell: ({ file }) => <UntrustedText text={file.name} layout="prose" />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 110,
    cell: ({ status, error }) => <StatusBadge status={orCancelled(importStatuses[status], error)} />,
  },
  { id: 'read', title: 'Rows', width: 80, align: 'end', cell: ({ rows }) => formatCount(rows.read) },
  { id: 'created', title: 'Added', width: 80, align: 'end', cell: ({ created }) => formatCount(created) },
  { id: 'duplicates', title: 'Duplicates', width: 90, align: 'end', cell: ({ duplicates }) => formatCount(duplicates) },
  {
    id: 'problem',
    title: 'Problem',
    width: 220,
    cell: ({ error, error_count: faults }) =>
      error ? (
        <UntrustedText text={error.message} layout="prose" />
      ) : faults > 0 ? (
        `${formatCount(faults)} ${faults === 1 ? 'error' : 'errors'}`
      ) : (
        '–'
      ),
  },
  { id: 'at', title: 'Started', width: 112, cell: ({ created_at }) => <RelativeTime at={created_at} /> },
]

/** Files that were imported or refused, newest first; previews are left out. */
export function ImportsSection({ datasetId }: { readonly datasetId: string }) {
  const imports = useImports(datasetId)
  const rows = allItems(imports.data)
  return (
    <Section title="Imports">
      {imports.isError ? (
        <ErrorState error={imports.error} title="Couldn’t load the imports" onRetry={() => void imports.refetch()} />
      ) : imports.isPending ? (
        <LinesSkeleton />
      ) : rows.length > 0 ? (
        <PlainTable label="Imports" columns={columns} rows={rows} rowId={({ id }) => id} />
      ) : (
        <p className="quiet">No file was imported yet.</p>
      )}
      <LoadMore query={imports} />
    </Section>
  )
}
