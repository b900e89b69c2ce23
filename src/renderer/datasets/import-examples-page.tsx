import { Button, Progress, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Link, useParams } from 'react-router'
import { isTableFormat } from '../../contract/catalog/file-formats.ts'
import { DatasetFormat, type DatasetImport } from '../../contract/datasets/dataset-imports.schemas.ts'
import type { Dataset } from '../../contract/datasets/datasets.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { oneOf } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { ColumnFields } from './column-fields.tsx'
import { datasetQuery } from './datasets.queries.ts'
import { type ChosenColumns, formatOf, formatOptions, guessColumns, mappingOf } from './import-form.ts'
import { ImportRecordView } from './import-record-view.tsx'
import { type ExampleImport, type ExampleUpload, useExampleImport } from './use-example-import.ts'

export function ImportExamplesPage() {
  const { datasetId = '' } = useParams()
  const query = useQuery(datasetQuery(datasetId))
  return (
    <Page layout="narrow">
      <PageHeader
        title="Import examples"
        parent={{ title: query.data ? showHidden(query.data.name) : 'Dataset', to: `/datasets/${datasetId}` }}
        description="Every row is checked first. The examples appear together, or not at all."
      />
      <QueryView query={query} failure="Couldn’t load the dataset">
        {dataset => <ImportForm dataset={dataset} />}
      </QueryView>
    </Page>
  )
}

/** File, format, columns, a preview that follows every change, and the import. */
function ImportForm({ dataset }: { readonly dataset: Dataset }) {
  const [file, setFile] = useState<File | null>(null)
  const [format, setFormat] = useState<DatasetFormat | null>(null)
  const [chosen, setChosen] = useState<ChosenColumns | null>(null)
  const looking = useExampleImport(dataset.id, true)
  const preview = useExampleImport(dataset.id, true)
  const landing = useExampleImport(dataset.id, false)
  const columns = looking.latest?.columns
  const shown = useMemo(() => chosen ?? (columns ? guessColumns(columns, dataset.task) : null), [chosen, columns, dataset.task])
  const mapping = shown && format && isTableFormat(format) ? mappingOf(shown, dataset.task) : null
  const mappingKey = JSON.stringify(mapping)
  const ready = file !== null && format !== null && (!isTableFormat(format) || mapping !== null)

  const { send: look } = looking
  useEffect(() => {
    if (file && format && isTableFormat(format)) look({ file, format, mapping: null })
  }, [file, format, look])
  const { send: show } = preview
  useEffect(() => {
    if (file && format && ready) show({ file, format, mapping })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `mappingKey` is the mapping by value
  }, [file, format, ready, mappingKey, show])

  if (landing.latest?.status === 'imported') return <Imported dataset={dataset} landing={landing} />
  const choose = ([one]: readonly File[]): void => {
    if (!one) return
    for (const attempt of [looking, preview, landing]) attempt.forget()
    setFile(one)
    setFormat(formatOf(one.name))
    setChosen(null)
  }
  return (
    <>
      <Section title="File">
        <FileDrop
          label="Drop a file here, or choose it"
          hint="JSON Lines, JSON, CSV, Excel or Parquet, also packed (gzip, zstd, bzip2, xz); a zip with one of them and media files; or tests of promptfoo."
          multiple={false}
          disabled={landing.busy}
          onFiles={choose}
        />
        {file ? (
          <>
            <p>
              <UntrustedText text={file.name} layout="inline" /> <span className="quiet num">{formatBytes(file.size)}</span>
            </p>
            <Select
              label="Format"
              w={360}
              data={formatOptions}
              value={format}
              onChange={value => setFormat(oneOf(value ?? '', DatasetFormat.options) ?? null)}
            />
          </>
        ) : null}
      </Section>
      {looking.error ? <ErrorState error={looking.error} title="The file was refused" /> : null}
      {looking.latest?.error || columns?.length === 0 ? <Unreadable record={looking.latest} /> : null}
      {file && shown && columns && columns.length > 0 && format && isTableFormat(format) ? (
        <ColumnFields dataset={dataset} columns={columns} chosen={shown} onChange={setChosen} />
      ) : null}
      {ready ? (
        <Section title="Preview">
          <Busy attempt={preview} what="Checking rows" />
          {preview.error ? <ErrorState error={preview.error} title="The file was refused" /> : null}
          {preview.latest ? <ImportRecordView record={preview.latest} /> : null}
          {landing.latest?.status === 'failed' ? <ImportRecordView record={landing.latest} /> : null}
          {landing.error ? <ErrorState error={landing.error} title="The import did not go through" /> : null}
          <Busy attempt={landing} what="Importing" />
          <div>
            <ReasonedButton
              blocked={blockedImport(preview, { file, format, mapping })}
              loading={landing.busy}
              onClick={() => landing.send({ file, format, mapping })}
            >
              Import {preview.latest ? countExamples(preview.latest.rows.valid) : 'examples'}
            </ReasonedButton>
          </div>
        </Section>
      ) : null}
    </>
  )
}

/** What is wrong with a file in which no columns were found. */
function Unreadable({ record }: { readonly record: DatasetImport | null }) {
  return record ? (
    <Section title="No rows could be read">
      <ImportRecordView record={record} />
    </Section>
  ) : null
}

/** Why the import cannot start; null: it can, since the preview is of what is shown. */
function blockedImport({ busy, latest, sent }: ExampleImport, { file, format, mapping }: ExampleUpload): string | null {
  const isShown = sent?.file === file && sent.format === format && JSON.stringify(sent.mapping) === JSON.stringify(mapping)
  if (busy || latest === null || !isShown) return 'The rows are being checked.'
  if (latest.status === 'previewed') return null
  return latest.error_count > 0
    ? `Correct or remove the ${latest.error_count === 1 ? 'row with an error' : `${formatCount(latest.error_count)} rows with errors`} in the file, then choose it again.`
    : 'The file was refused.'
}

function countExamples(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'example' : 'examples'}`
}

function Busy({ attempt, what }: { readonly attempt: ExampleImport; readonly what: string }) {
  if (!attempt.busy) return null
  return (
    <div>
      <Progress value={100 * attempt.share} size="xs" aria-label={what} />
      <output className="quiet small">{attempt.share < 1 ? 'Uploading' : what}</output>
    </div>
  )
}

function Imported({ dataset, landing: { latest: record } }: { readonly dataset: Dataset; readonly landing: ExampleImport }) {
  if (!record) return null
  return (
    <Section title="Imported">
      <output className="num">
        {countExamples(record.created)} added
        {record.duplicates > 0 ? `, ${formatCount(record.duplicates)} left out as duplicates` : ''}.
      </output>
      <div className="row">
        <Button component={Link} to={`/datasets/${dataset.id}?tab=overview`} variant="default">
          Agreement and labels
        </Button>
        <Button component={Link} to={`/datasets/${dataset.id}/review`}>
          Review
        </Button>
      </div>
    </Section>
  )
}
