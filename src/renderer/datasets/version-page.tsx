import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import { ServiceError } from '../../contract/client.ts'
import type { DatasetVersion, VersionChange } from '../../contract/datasets/dataset-versions.schemas.ts'
import { archivesIn } from '../../contract/datasets/several-archives.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { saveFile } from '../api/download.ts'
import { allItems } from '../api/pages.ts'
import { CalibrateVersionDialog } from '../evaluators/calibrate-version-dialog.tsx'
import { ExportButton } from '../ui/page/export-button.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { LoadMore } from '../ui/table/load-more.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { BenchmarksSection } from './benchmarks-section.tsx'
import { changeStatuses, labelText } from './dataset-words.ts'
import { datasetQuery, useVersionDiff, useVersions, versionQuery } from './datasets.queries.ts'
import { ExampleView } from './example-view.tsx'
import { exportChoices } from './export-choices.ts'

/** A frozen version, what changed since another one, and its export. */
export function VersionPage() {
  const { datasetId = '', versionId = '' } = useParams()
  const query = useQuery(versionQuery(datasetId, versionId))
  const dataset = useQuery(datasetQuery(datasetId))
  const [calibrating, setCalibrating] = useState(false)
  return (
    <Page>
      <PageHeader
        title={query.data ? showHidden(query.data.name) : 'Version'}
        parent={{ title: dataset.data ? showHidden(dataset.data.name) : 'Dataset', to: `/datasets/${datasetId}?tab=overview` }}
        actions={
          query.data ? (
            <>
              <Export key={query.data.id} version={query.data} />
              {query.data.labeled_count > 0 ? <Button onClick={() => setCalibrating(true)}>Calibrate a judge</Button> : null}
            </>
          ) : null
        }
      />
      <QueryView query={query} failure="Couldn’t load the version">
        {version => (
          <>
            <KeyValues
              items={{
                Version: formatCount(version.version),
                Examples: formatCount(version.example_count),
                Labeled: `${formatCount(version.labeled_count)}, ${formatCount(version.labeled_by_people_count)} by people`,
                Digest: <Identifier value={version.digest} what="digest" shown={16} />,
                Frozen: <RelativeTime at={version.created_at} />,
              }}
            />
            {calibrating ? <CalibrateVersionDialog version={version} onClose={() => setCalibrating(false)} /> : null}
            <BenchmarksSection version={version} />
            <Diff version={version} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Export({ version }: { readonly version: DatasetVersion }) {
  const [busy, setBusy] = useState(false)
  const [archives, setArchives] = useState(1)
  const choices = exportChoices(archives)
  const save = async (chosen: string): Promise<void> => {
    const choice = choices.find(({ format }) => format === chosen)
    if (!choice) return
    setBusy(true)
    try {
      const params = { dataset_id: version.dataset_id, version_id: version.id }
      await saveFile('exportDatasetVersion', { params, query: choice.query }, `dataset-v${version.version}.${choice.format}`)
    } catch (error) {
      const several = error instanceof ServiceError ? archivesIn(error.detail) : null
      if (several === null) notifyFailed('The export did not go through', error)
      else {
        setArchives(several)
        notifyDone(`This version makes ${formatCount(several)} ZIP archives. Choose each part under Export.`)
      }
    }
    setBusy(false)
  }
  return (
    <ExportButton formats={choices} busy={busy} onSave={chosen => void save(chosen)}>
      Export
    </ExportButton>
  )
}

function Diff({ version }: { readonly version: DatasetVersion }) {
  const { get, set } = useAddress()
  const against = get('against')
  const others = allItems(useVersions(version.dataset_id).data).filter(other => other.id !== version.id)
  const diff = useVersionDiff(version.dataset_id, version.id, against)
  const counts = diff.data?.pages[0]?.counts
  return (
    <Section
      title="Changes"
      aside={
        <Select
          aria-label="Compare with"
          placeholder="The version before"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear compare with' }}
          w={240}
          data={others.map(other => ({ value: other.id, label: `${other.version}. ${showHidden(other.name)}` }))}
          value={against || null}
          onChange={value => set({ against: value })}
        />
      }
    >
      {diff.isError ? (
        <ErrorState error={diff.error} title="Couldn’t load the changes" onRetry={() => void diff.refetch()} />
      ) : !counts ? (
        <LinesSkeleton />
      ) : (
        <output className="num">
          {formatCount(counts.added)} added, {formatCount(counts.removed)} removed, {formatCount(counts.revised)} revised,{' '}
          {formatCount(counts.relabeled)} relabeled, {formatCount(counts.unchanged)} unchanged
        </output>
      )}
      {allItems(diff.data).map(change => (
        <Change key={change.example_id} change={change} />
      ))}
      <LoadMore query={diff} />
    </Section>
  )
}

function Change({ change: { change, before, after } }: { readonly change: VersionChange }) {
  const only = before && after ? null : (after ?? before)
  return (
    <article className="stack" style={{ borderTop: '1px solid var(--line)', paddingTop: 8 }}>
      <div className="row">
        <StatusBadge status={changeStatuses[change]} />
        {change === 'relabeled' && before && after ? (
          <UntrustedText text={`${labelText(before)} → ${labelText(after)}`} layout="inline" />
        ) : null}
        {only ? (
          <span className="quiet">
            Label: <UntrustedText text={labelText(only)} layout="inline" />
          </span>
        ) : null}
      </div>
      {only ? <ExampleView example={only} /> : null}
      {before && after && change === 'revised' ? (
        <div className="example-pair">
          <section aria-label="Before">
            <ExampleView example={before} />
          </section>
          <section aria-label="After">
            <ExampleView example={after} />
          </section>
        </div>
      ) : null}
      {after && change === 'relabeled' ? <ExampleView example={after} metadata={false} /> : null}
    </article>
  )
}
