import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { DatasetScan } from '../../contract/datasets/dataset-imports.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { orCancelled } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { scanStatuses } from './dataset-words.ts'
import { useDatasetChanges, useScans } from './datasets.queries.ts'

type Finding = DatasetScan['findings'][number]

/** Findings of a page; the example's own history has all of its own. */
const shown = 50

/** Looks for repeated examples and for secrets, and lists what the last scan found. */
export function ScansSection({ dataset }: { readonly dataset: Dataset }) {
  const scans = useScans(dataset.id)
  const { scan } = useDatasetChanges(dataset.id)
  return (
    <Section
      title="Scans"
      aside={
        <ReasonedButton
          size="xs"
          variant="default"
          blocked={dataset.counts.total === 0 ? 'Add examples first.' : null}
          loading={scan.isPending}
          onClick={() => scan.mutate()}
        >
          Scan for duplicates and secrets
        </ReasonedButton>
      }
    >
      {scan.error ? <ErrorState error={scan.error} title="The scan was not started" /> : null}
      <QueryView query={scans} failure="Couldn’t load the scans">
        {({ items }) => {
          const [latest] = items
          return latest ? <LatestScan scan={latest} /> : <p className="quiet">Not scanned yet.</p>
        }}
      </QueryView>
    </Section>
  )
}

function LatestScan({ scan }: { readonly scan: DatasetScan }) {
  return (
    <>
      <div className="row">
        <StatusBadge status={orCancelled(scanStatuses[scan.status], scan.error)} />
        <span className="quiet small">
          <RelativeTime at={scan.created_at} />
        </span>
        {scan.status === 'succeeded' ? (
          <output className="num">
            {formatCount(scan.examples)} examples: {formatCount(scan.duplicates)} duplicates, {formatCount(scan.secrets)} with secrets
          </output>
        ) : null}
      </div>
      {scan.error ? <UntrustedText text={scan.error.message} layout="prose" /> : null}
      {scan.findings.length > 0 ? (
        <PlainTable
          label="Findings"
          columns={columnsFor(scan.dataset_id)}
          rows={scan.findings.slice(0, shown)}
          rowId={finding => `${finding.kind} ${finding.example_id}`}
        />
      ) : null}
      {scan.findings.length > shown ? <p className="quiet">The first {shown} findings. The API lists up to 1,000.</p> : null}
    </>
  )
}

function columnsFor(datasetId: string): readonly Column<Finding>[] {
  const example = (id: string) => (
    <Anchor component={Link} to={`/datasets/${datasetId}?tab=examples&open=${id}`} fz="inherit" className="mono">
      …{id.slice(-8)}
    </Anchor>
  )
  return [
    { id: 'example', title: 'Example', width: 110, rowHeader: true, cell: finding => example(finding.example_id) },
    {
      id: 'kind',
      title: 'Finding',
      width: 260,
      grow: true,
      cell: finding =>
        finding.kind === 'secrets'
          ? `Looks like a secret in ${finding.fields.join(', ')}`
          : finding.similarity === 1
            ? 'Same text as an earlier example'
            : 'Nearly the same as an earlier example',
    },
    { id: 'of', title: 'Earlier example', width: 120, cell: finding => (finding.of_example_id ? example(finding.of_example_id) : '–') },
    { id: 'similarity', title: 'Similarity', width: 90, align: 'end', cell: finding => formatPercent(finding.similarity) },
  ]
}
