import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AddExampleDialog } from './add-example-dialog.tsx'
import { DatasetOverview } from './dataset-overview.tsx'
import { taskWords } from './dataset-words.ts'
import { datasetQuery, useDatasetChanges } from './datasets.queries.ts'
import { ExamplesTable } from './examples-table.tsx'
import { ImportsSection } from './imports-section.tsx'
import { ScansSection } from './scans-section.tsx'
import { VersionsSection } from './versions-section.tsx'

const parent = { title: 'Datasets', to: '/datasets' }

export function DatasetPage() {
  const { datasetId = '' } = useParams()
  const query = useQuery(datasetQuery(datasetId))
  if (query.data) return <Loaded dataset={query.data} />
  return (
    <Page>
      <PageHeader title="Dataset" parent={parent} />
      {query.isError ? (
        <ErrorState error={query.error} title="Couldn’t load the dataset" onRetry={() => void query.refetch()} />
      ) : (
        <LinesSkeleton />
      )}
    </Page>
  )
}

function Loaded({ dataset }: { readonly dataset: Dataset }) {
  const { get } = useAddress()
  const overview = get('tab') === 'overview'
  return (
    <Page layout={overview ? 'flow' : 'fill'}>
      <PageHeader
        title={showHidden(dataset.name)}
        parent={parent}
        description={dataset.description ? <UntrustedText text={dataset.description} layout="prose" /> : taskWords[dataset.task]}
        aside={dataset.archived ? <StatusBadge status={{ word: 'Archived', tone: 'neutral' }} /> : null}
        actions={<Actions dataset={dataset} />}
      />
      <nav className="page-tabs" aria-label="Parts of this dataset">
        <Link to={`/datasets/${dataset.id}`} aria-current={overview ? undefined : 'page'} className={overview ? '' : 'active'}>
          Examples <span className="num quiet">{formatCount(dataset.counts.total)}</span>
        </Link>
        <Link to={`/datasets/${dataset.id}?tab=overview`} aria-current={overview ? 'page' : undefined} className={overview ? 'active' : ''}>
          Agreement, versions, imports and scans
        </Link>
      </nav>
      {overview ? (
        <>
          <DatasetOverview dataset={dataset} />
          <VersionsSection dataset={dataset} />
          <ImportsSection datasetId={dataset.id} />
          <ScansSection dataset={dataset} />
        </>
      ) : (
        <ExamplesTable dataset={dataset} />
      )}
    </Page>
  )
}

function Actions({ dataset }: { readonly dataset: Dataset }) {
  const { id, archived, counts } = dataset
  const [adding, setAdding] = useState(false)
  const { archive } = useDatasetChanges(id)
  return (
    <>
      <RequestMenu operation="getDataset" request={{ params: { dataset_id: id } }} />
      <Button
        variant="default"
        loading={archive.isPending}
        onClick={() => archive.mutate(!archived, { onError: error => notifyFailed('The dataset was not changed', error) })}
      >
        {archived ? 'Restore' : 'Archive'}
      </Button>
      {archived ? null : (
        <>
          <Button variant="default" onClick={() => setAdding(true)}>
            Add example
          </Button>
          <Button component={Link} to={`/datasets/${id}/import`} variant="default">
            Import
          </Button>
        </>
      )}
      {adding ? <AddExampleDialog dataset={dataset} onClose={() => setAdding(false)} /> : null}
      {counts.draft + counts.in_review > 0 && !archived ? (
        <Button component={Link} to={`/datasets/${id}/review`}>
          Review {formatCount(counts.draft + counts.in_review)}
        </Button>
      ) : null}
    </>
  )
}
