import { Button, Progress } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportRecord } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { importStatuses } from '../ui/values/statuses.ts'
import { benchmarkAddress } from './catalog-links.ts'
import { ImportErrors } from './import-errors.tsx'
import type { useImport } from './imports.queries.ts'

interface ImportOutcomeProps {
  readonly attempt: ReturnType<typeof useImport>
  /** Whether the preview says that it will land. */
  readonly ready: boolean
  readonly onImport: () => void
}

/** The button that imports, how far it has got, and where the result is. */
export function ImportOutcome({ attempt, ready, onImport }: ImportOutcomeProps) {
  const { record, busy, error } = attempt
  if (record?.status === 'imported') return <Imported record={record} />
  return (
    <Section title="Import">
      {attempt.uploading ? <Progress value={100 * attempt.share} aria-label="Upload" /> : null}
      {record ? (
        <div className="row">
          <StatusBadge status={importStatuses[record.status]} />
          <span className="quiet num">{formatCount(record.rows.read)} rows read</span>
        </div>
      ) : null}
      {record?.status === 'failed' ? <ImportErrors record={record} /> : null}
      {error ? <ErrorState error={error} title="The import did not land; nothing was stored" /> : null}
      <div>
        <Button disabled={!ready} loading={busy} onClick={onImport}>
          Import
        </Button>
      </div>
    </Section>
  )
}

function Imported({ record }: { readonly record: ImportRecord }) {
  return (
    <Section title="Import" aside={<StatusBadge status={importStatuses[record.status]} />}>
      <output>
        {record.already_present
          ? 'The same content was imported before, so its version is used and nothing was stored twice.'
          : `${formatCount(record.rows.valid)} tasks are in the catalog.`}
      </output>
      {record.slug ? (
        <div>
          <Button component={Link} to={benchmarkAddress(record.slug)}>
            Open the benchmark
          </Button>
        </div>
      ) : null}
    </Section>
  )
}
