import { Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { DatasetVersion } from '../../contract/datasets/dataset-versions.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useDatasetChanges, useVersions } from './datasets.queries.ts'

const columns: readonly Column<DatasetVersion>[] = [
  {
    id: 'name',
    title: 'Version',
    width: 180,
    grow: true,
    rowHeader: true,
    cell: version => (
      <Anchor component={Link} to={`/datasets/${version.dataset_id}/versions/${version.id}`} fz="inherit">
        <UntrustedText text={`${version.version}. ${version.name}`} layout="prose" />
      </Anchor>
    ),
  },
  { id: 'examples', title: 'Examples', width: 90, align: 'end', cell: version => formatCount(version.example_count) },
  { id: 'labeled', title: 'Labeled', width: 90, align: 'end', cell: version => formatCount(version.labeled_count) },
  { id: 'people', title: 'By people', width: 90, align: 'end', cell: version => formatCount(version.labeled_by_people_count) },
  { id: 'digest', title: 'Digest', width: 140, cell: version => <Identifier value={version.digest} what="digest" shown={10} /> },
  { id: 'by', title: 'Frozen by', width: 120, cell: version => <UntrustedText text={version.created_by.name} layout="prose" /> },
  { id: 'at', title: 'Frozen', width: 112, cell: version => <RelativeTime at={version.created_at} /> },
]

/** Frozen versions, and the button that freezes another. */
export function VersionsSection({ dataset }: { readonly dataset: Dataset }) {
  const versions = useVersions(dataset.id)
  const { freeze } = useDatasetChanges(dataset.id)
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const { approved } = dataset.counts
  const rows = allItems(versions.data)
  return (
    <Section title="Versions">
      <form
        className="row"
        style={{ alignItems: 'flex-end' }}
        onSubmit={event => {
          event.preventDefault()
          freeze.mutate(name.trim(), { onSuccess: ({ id }) => void navigate(`/datasets/${dataset.id}/versions/${id}`) })
        }}
      >
        <TextInput label="Version name" description="Optional" w={240} {...textField(name, setName)} />
        <ReasonedButton
          type="submit"
          blocked={dataset.archived ? 'The dataset is archived.' : approved === 0 ? 'Approve at least one example first.' : null}
          loading={freeze.isPending}
        >
          Freeze {formatCount(approved)} approved {approved === 1 ? 'example' : 'examples'}
        </ReasonedButton>
      </form>
      {approved === 0 ? <p className="quiet">A version freezes approved examples. Approve some in the review queue first.</p> : null}
      {freeze.error ? <ErrorState error={freeze.error} title="The version was not created" /> : null}
      {versions.isError ? (
        <ErrorState error={versions.error} title="Couldn’t load the versions" onRetry={() => void versions.refetch()} />
      ) : versions.isPending ? (
        <LinesSkeleton />
      ) : rows.length > 0 ? (
        <PlainTable label="Versions" columns={columns} rows={rows} rowId={version => version.id} />
      ) : (
        <p className="quiet">No versions yet.</p>
      )}
      <LoadMore query={versions} />
    </Section>
  )
}
