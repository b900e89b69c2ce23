import './releases.css'
import { Anchor, Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import type { Evidence } from '../../contract/releases/evidence.schemas.ts'
import { formatBytes } from '../../lib/format/bytes.ts'
import { recognizeEvidence } from '../../lib/recognize-evidence.ts'
import { FileDrop } from '../ui/forms/file-drop.tsx'
import { textField } from '../ui/forms/fields.ts'
import { ReasonedButton } from '../ui/forms/reasoned-button.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { evidenceFormats } from './evidence-formats.ts'
import { useEvidenceList, useImportEvidence } from './releases.queries.ts'
import { ReleasesTabs } from './releases-tabs.tsx'
import { StatementForm } from './statement-form.tsx'

const columns: readonly Column<Evidence>[] = [
  {
    id: 'name',
    title: 'Evidence',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: evidence => (
      <Anchor component={Link} to={`/releases/evidence/${evidence.id}`} fz="inherit">
        <UntrustedText text={evidence.name} layout="prose" />
      </Anchor>
    ),
  },
  { id: 'format', title: 'Format', width: 150, cell: ({ format }) => evidenceFormats[format] },
  { id: 'tool', title: 'Tool', width: 150, cell: ({ source }) => <UntrustedText text={source.tool} layout="prose" /> },
  { id: 'analyses', title: 'Analyses', width: 90, align: 'end', cell: ({ analyses }) => analyses },
  { id: 'bytes', title: 'Size', width: 90, align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  { id: 'made', title: 'Received', width: 120, cell: evidence => <RelativeTime at={evidence.created_at} /> },
]

export function EvidencePage() {
  const query = useEvidenceList()
  const [way, setWay] = useState<'file' | 'statement'>('file')
  return (
    <Page>
      <PageHeader
        title="Evidence"
        description="What other tools measured. Files are kept as they are, with their SHA-256."
        actions={<RequestMenu operation="listReleaseAssets" request={{ query: { kind: 'external' } }} />}
      />
      <ReleasesTabs />
      <Section title="Import">
        <SegmentedControl
          aria-label="Kind of evidence"
          style={{ alignSelf: 'start' }}
          value={way}
          onChange={chosen => setWay(chosen === 'statement' ? 'statement' : 'file')}
          data={[
            { value: 'file', label: 'File' },
            { value: 'statement', label: 'Statement' },
          ]}
        />
        {way === 'file' ? <ImportForm /> : <StatementForm />}
      </Section>
      <Section title="Received">
        <QueryView query={query} failure="Couldn’t load the evidence">
          {items =>
            items.length === 0 ? (
              <EmptyState title="No evidence yet" picture="evidence">
                Import a log or report of another tool above.
              </EmptyState>
            ) : (
              <PlainTable label="Evidence" columns={columns} rows={items} rowId={evidence => evidence.id} />
            )
          }
        </QueryView>
      </Section>
    </Page>
  )
}

const choices = (Object.keys(evidenceFormats) as Evidence['format'][]) // the keys of that record
  .filter(format => format !== 'manual')
  .map(value => ({ value, label: evidenceFormats[value] }))

/** As much of a file as shows which tool wrote it. */
const recognizedBytes = 64 * 1024

function ImportForm() {
  const navigate = useNavigate()
  const send = useImportEvidence()
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [format, setFormat] = useState<string | null>(null)
  const [tool, setTool] = useState('')
  const take = async ([taken]: File[]): Promise<void> => {
    if (!taken) return
    const found = recognizeEvidence(await taken.slice(0, recognizedBytes).text())
    setFile(taken)
    setName(taken.name.slice(0, 200))
    setFormat(found)
    setTool(found === null ? '' : evidenceFormats[found])
  }
  if (!file)
    return (
      <FileDrop
        multiple={false}
        label="Drop one file here, or choose it"
        hint="Inspect .eval or .json, lm-evaluation-harness, promptfoo, JUnit XML, SARIF or CSV; at most 64 MiB"
        onFiles={files => void take(files)}
      />
    )
  const blocked =
    name.trim() === ''
      ? 'Enter a name.'
      : format === null
        ? 'Choose the format: the file’s content does not show which tool wrote it.'
        : tool.trim() === ''
          ? 'Enter the tool.'
          : null
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        if (blocked !== null || format === null) return
        send.mutate(
          { name: name.trim(), format, source: { tool: tool.trim() }, file },
          { onSuccess: ({ id }) => void navigate(`/releases/evidence/${id}`) },
        )
      }}
    >
      <p style={{ margin: 0 }}>
        <UntrustedText text={file.name} layout="inline" /> <span className="quiet">{formatBytes(file.size)}</span>
      </p>
      <TextInput label="Name" maw={480} maxLength={200} {...textField(name, setName)} />
      <Select
        label="Format"
        description={format === null ? 'Not recognized from the content' : null}
        maw={340}
        data={choices}
        value={format}
        onChange={setFormat}
        placeholder="Choose the tool’s format"
      />
      <TextInput label="Tool" maw={340} maxLength={200} {...textField(tool, setTool)} />
      {send.isError ? <ErrorState error={send.error} title="Couldn’t import the file" /> : null}
      <div className="row">
        <ReasonedButton type="submit" loading={send.isPending} blocked={blocked}>
          Import
        </ReasonedButton>
        <Button variant="default" onClick={() => setFile(null)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
