import './releases.css'
import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { Evidence, EvidenceAnalysis } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Identifier } from '../ui/values/copy-button.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { evidenceFormats } from './evidence-formats.ts'
import { analysisQuery, evidenceQuery, useAnalyze, useReleaseSuites } from './releases.queries.ts'

const parent = { title: 'Evidence', to: '/releases/evidence' }

export function EvidenceDetailPage() {
  const { evidenceId = '' } = useParams()
  return (
    <Page>
      <QueryView
        query={useQuery(evidenceQuery(evidenceId))}
        failure="Couldn’t load the evidence"
        header={<PageHeader title="Evidence" parent={parent} />}
      >
        {evidence => (
          <>
            <PageHeader
              title={showHidden(evidence.name)}
              parent={parent}
              actions={<RequestMenu operation="getEvidence" request={{ params: { evidence_id: evidence.id } }} />}
            />
            <KeyValues
              items={{
                Format: evidenceFormats[evidence.format],
                Tool: <UntrustedText text={evidence.source.tool} layout="prose" />,
                'SHA-256': <Identifier value={evidence.sha256} what="SHA-256" shown={16} />,
                Received: <RelativeTime at={evidence.created_at} />,
                Statement: evidence.statement ? <UntrustedText text={evidence.statement.text} layout="prose" /> : null,
              }}
            />
            <Section title="Analyze">
              <AnalyzeForm evidence={evidence} />
            </Section>
            {evidence.analyses > 0 ? <LatestAnalysis evidence={evidence} /> : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}

function AnalyzeForm({ evidence }: { readonly evidence: Evidence }) {
  const analyze = useAnalyze(evidence.id)
  const suites = useReleaseSuites()
  const [suite, setSuite] = useState<string | null>(null)
  const [side, setSide] = useState<string | null>(null)
  const [taskField, setTaskField] = useState('')
  const [valueField, setValueField] = useState('')
  const [label, setLabel] = useState('')
  const [passAt, setPassAt] = useState<number | string>('')
  return (
    <form
      className="stack"
      onSubmit={event => {
        event.preventDefault()
        analyze.mutate({
          suite_version_id: suite,
          side: side === 'candidate' || side === 'baseline' ? side : null,
          mapping: {
            ...(taskField === '' ? {} : { task_field: taskField }),
            ...(valueField === '' ? {} : { value_field: valueField }),
            ...(label === '' ? {} : { label }),
            ...(typeof passAt === 'number' ? { pass_at: passAt } : {}),
          },
        })
      }}
    >
      <div className="releases-fields">
        <Select
          label="Release suite"
          placeholder="None"
          clearable
          value={suite}
          data={(suites.data ?? []).map(({ id, name, version }) => ({ value: id, label: `${name}, version ${version}` }))}
          onChange={setSuite}
        />
        <Select
          label="Side"
          placeholder="Not stated"
          clearable
          value={side}
          data={[
            { value: 'candidate', label: 'Candidate' },
            { value: 'baseline', label: 'Baseline' },
          ]}
          onChange={setSide}
        />
        <TextInput label="Task field" placeholder="Default" value={taskField} onChange={event => setTaskField(event.currentTarget.value)} />
        <TextInput
          label="Value field"
          placeholder="First"
          value={valueField}
          onChange={event => setValueField(event.currentTarget.value)}
        />
        <TextInput label="Label" placeholder="All" value={label} onChange={event => setLabel(event.currentTarget.value)} />
        <NumberInput label="Passes at" placeholder="No threshold" value={passAt} onChange={setPassAt} />
      </div>
      {analyze.isError ? <ErrorState error={analyze.error} title="Couldn’t analyze the evidence" /> : null}
      <div>
        <Button type="submit" loading={analyze.isPending}>
          Analyze
        </Button>
      </div>
    </form>
  )
}

type Metric = EvidenceAnalysis['metrics'][number]
type Task = EvidenceAnalysis['per_task'][number]

const figure = (value: number | null): string => (value === null ? '–' : Number(value.toFixed(4)).toString())

const metricColumns: readonly Column<Metric>[] = [
  {
    id: 'name',
    title: 'Metric',
    width: 180,
    grow: true,
    rowHeader: true,
    cell: ({ name }) => <UntrustedText text={name} layout="inline" />,
  },
  { id: 'group', title: 'Group', width: 180, cell: ({ group }) => <UntrustedText text={group ?? '–'} layout="inline" /> },
  { id: 'label', title: 'Label', width: 180, cell: ({ label }) => <UntrustedText text={label ?? '–'} layout="inline" /> },
  { id: 'mean', title: 'Estimate', width: 100, align: 'end', cell: ({ estimate }) => figure(estimate.mean) },
  {
    id: 'interval',
    title: 'Interval',
    width: 170,
    align: 'end',
    cell: ({ estimate: { interval } }) => (interval ? `${figure(interval.low)} to ${figure(interval.high)}` : '–'),
  },
  { id: 'n', title: 'n', width: 80, align: 'end', cell: ({ estimate }) => (estimate.n === null ? 'not stated' : formatCount(estimate.n)) },
]

const taskColumns: readonly Column<Task>[] = [
  {
    id: 'task',
    title: 'Task',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: task => <UntrustedText text={task.task_id} layout="inline" />,
  },
  { id: 'label', title: 'Label', width: 180, cell: ({ label }) => <UntrustedText text={label ?? '–'} layout="inline" /> },
  { id: 'class', title: 'Class', width: 110, cell: task => task.class },
  { id: 'value', title: 'Value', width: 90, align: 'end', cell: ({ value }) => figure(value) },
]

const shownMetrics = 50

function LatestAnalysis({ evidence }: { readonly evidence: Evidence }) {
  return (
    <QueryView query={useQuery(analysisQuery(evidence.id, evidence.analyses))} failure="Couldn’t load the analysis">
      {analysis => (
        <Section title={`Analysis ${analysis.n}`}>
          {analysis.blocked === null ? null : (
            <Notice tone="fail" title="Never satisfies coverage">
              <UntrustedText text={analysis.blocked} layout="prose" />
            </Notice>
          )}
          {analysis.cautions.length > 0 ? (
            <ul className="releases-sentences" aria-label="Cautions">
              {analysis.cautions.map(caution => (
                <li key={caution}>
                  <UntrustedText text={caution} layout="prose" />
                </li>
              ))}
            </ul>
          ) : null}
          {analysis.rows === 0 ? null : (
            <p className="num" style={{ margin: 0 }}>
              {formatCount(analysis.mapped)} of {formatCount(analysis.rows)} rows belong to a known task.
            </p>
          )}
          <PlainTable
            label="Metrics"
            columns={metricColumns}
            rows={analysis.metrics.slice(0, shownMetrics)}
            rowId={({ name, group, label }) => JSON.stringify([name, group, label])}
          />
          {analysis.metrics.length > shownMetrics ? (
            <p className="quiet">
              The first {shownMetrics} of {formatCount(analysis.metrics.length)} metrics.
            </p>
          ) : null}
          {analysis.per_task.length > 0 ? (
            <>
              <PlainTable
                label="Tasks"
                columns={taskColumns}
                rows={analysis.per_task}
                rowId={({ task_id, source_ref, label }) => JSON.stringify([task_id, source_ref, label])}
              />
              {analysis.tasks > analysis.per_task.length ? (
                <p className="quiet">
                  The first {analysis.per_task.length} of {formatCount(analysis.tasks)} tasks.
                </p>
              ) : null}
            </>
          ) : null}
          {analysis.unmapped_count > 0 ? (
            <>
              <h3 className="releases-sub">Unmapped</h3>
              <ul className="releases-sentences" aria-label="Unmapped">
                {analysis.unmapped.slice(0, 20).map(({ task_id: task, line, reason }, i) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a task can be in a file several times
                  <li key={i}>
                    {line === null ? '' : `Line ${line}: `}
                    <UntrustedText text={task} layout="inline" /> – {reason}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </Section>
      )}
    </QueryView>
  )
}
