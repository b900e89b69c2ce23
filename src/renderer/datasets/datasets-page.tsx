import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { FiledTable } from '../items/filed-table.tsx'
import { useFilingQuery } from '../items/use-filing.tsx'
import { SearchFilter, SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { AllArchived } from '../ui/states/all-archived.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { RelativeTime } from '../ui/values/figures.tsx'
import { taskWords } from './dataset-words.ts'
import { useDatasets } from './datasets.queries.ts'
import { NewDatasetDialog } from './new-dataset-dialog.tsx'

const columns: readonly Column<Dataset>[] = [
  {
    id: 'name',
    title: 'Dataset',
    width: 180,
    grow: true,
    rowHeader: true,
    cell: dataset => <NameLink to={`/datasets/${dataset.id}`} name={dataset.name} />,
  },
  { id: 'task', title: 'Task', width: 132, cell: dataset => taskWords[dataset.task] },
  { id: 'examples', title: 'Examples', width: 80, align: 'end', cell: dataset => formatCount(dataset.counts.total) },
  { id: 'approved', title: 'Approved', width: 80, align: 'end', cell: dataset => formatCount(dataset.counts.approved) },
  {
    id: 'open',
    title: 'To review',
    width: 80,
    align: 'end',
    cell: dataset => formatCount(dataset.counts.draft + dataset.counts.in_review),
  },
  { id: 'labeled', title: 'Labeled', width: 76, align: 'end', cell: dataset => formatCount(dataset.label_coverage.labeled) },
  {
    id: 'alpha',
    title: 'Alpha',
    width: 72,
    align: 'end',
    cell: ({ agreement }) => (agreement?.alpha.mean == null ? '–' : formatNumber(agreement.alpha.mean, 3)),
  },
  {
    id: 'version',
    title: 'Version',
    width: 72,
    align: 'end',
    cell: dataset => (dataset.latest_version ? formatCount(dataset.latest_version.version) : '–'),
  },
  { id: 'updated', title: 'Changed', width: 120, cell: dataset => <RelativeTime at={dataset.updated_at} /> },
]

export function DatasetsPage() {
  const { get, set } = useAddress()
  const [q, archived] = [get('q'), get('archived') === 'yes']
  const query = useDatasets(q, archived, useFilingQuery('dataset').folder)
  const create = (variant: 'filled' | 'default') => (
    <Button variant={variant} onClick={() => set({ new: 'yes' })}>
      New dataset
    </Button>
  )
  return (
    <Page layout="fill">
      <PageHeader
        title="Datasets"
        description="Examples that people label and review, frozen as versions that graders are measured on."
        actions={
          <>
            <RequestMenu operation="listDatasets" request={{ query: {} }} />
            {create('filled')}
          </>
        }
      />
      <FiledTable
        kind="dataset"
        plural="datasets"
        query={query}
        failure="Couldn’t load the datasets"
        id="datasets"
        label="Datasets"
        columns={columns}
        path="/datasets"
        filters={{ q, archived: archived ? 'yes' : undefined }}
        filterFields={
          <>
            <SearchFilter label="Search datasets" />
            <SelectFilter label="Archived" name="archived" options={[{ value: 'yes', label: 'Archived only' }]} width={130} />
          </>
        }
        empty={<NoDatasets create={create('default')} onShowArchived={() => set({ archived: 'yes' })} />}
      />
      <NewDatasetDialog opened={get('new') === 'yes'} onClose={() => set({ new: null })} />
    </Page>
  )
}

function NoDatasets({ create, onShowArchived }: { readonly create: ReactNode; readonly onShowArchived: () => void }) {
  const archived = allItems(useDatasets('', true).data)
  if (archived.length > 0) return <AllArchived kind="dataset" onShow={onShowArchived} />
  return (
    <EmptyState title="No datasets yet" picture="dataset" action={create}>
      A dataset holds examples from files, runs and traces for people to label and review.
    </EmptyState>
  )
}
