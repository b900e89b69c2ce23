import { Progress } from '@mantine/core'
import type { AnswerImport } from '../../contract/answers/answers.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { WithoutReasoning } from '../samples/reasoning.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import type { AnswersAttempt } from './answers.queries.ts'
import { RecordedFigures } from './recorded-figures.tsx'

type Row = AnswerImport['preview'][number]
type LineError = AnswerImport['errors'][number] & { readonly index: number }

const rowColumns: readonly Column<Row>[] = [
  { id: 'task', title: 'Task', width: 130, rowHeader: true, cell: row => <UntrustedText text={row.task_id} layout="prose" /> },
  { id: 'epoch', title: 'Epoch', width: 64, align: 'end', cell: row => formatCount(row.epoch) },
  { id: 'model', title: 'Model', width: 130, cell: row => <UntrustedText text={row.model} layout="prose" /> },
  { id: 'input', title: 'Question', width: 240, grow: true, cell: row => <UntrustedText text={row.input.slice(0, 400)} layout="prose" /> },
  {
    id: 'output',
    title: 'Output',
    width: 240,
    grow: true,
    cell: row =>
      row.output === null ? (
        <span className="quiet">none</span>
      ) : (
        <WithoutReasoning text={row.output}>{answer => <UntrustedText text={answer.slice(0, 400)} layout="prose" />}</WithoutReasoning>
      ),
  },
]

const benchmarkColumns: readonly Column<AnswerImport['benchmarks'][number]>[] = [
  {
    id: 'title',
    title: 'Benchmark',
    width: 240,
    grow: true,
    rowHeader: true,
    cell: row => <UntrustedText text={row.title} layout="prose" />,
  },
  { id: 'tasks', title: 'Tasks', width: 84, align: 'end', cell: row => formatCount(row.tasks) },
  { id: 'version', title: 'Version', width: 160, cell: row => (row.already_present ? 'Already imported' : 'New') },
]

const errorColumns: readonly Column<LineError>[] = [
  { id: 'line', title: 'Line', width: 64, align: 'end', cell: error => (error.line === null ? '' : formatCount(error.line)) },
  { id: 'message', title: 'Error', width: 360, grow: true, cell: error => <UntrustedText text={error.message} layout="prose" /> },
  { id: 'file', title: 'File', width: 180, cell: error => <UntrustedText text={error.file} layout="prose" /> },
]

type Noted = Pick<AnswerImport, 'warnings' | 'remote_media' | 'remote_hosts'>

/** Without what the choice of hosts says, where it has all of them. What names a sample that is left out stays. */
export function notesOf({ warnings, remote_media: hosts, remote_hosts: all }: Noted): readonly string[] {
  return hosts.length < all ? warnings : warnings.filter(warning => !warning.startsWith('Samples name '))
}

/** Which outputs belong to which tasks, and what is left over on either side. */
export function AnswersPreview({ attempt: { record, busy, error, share } }: { readonly attempt: AnswersAttempt }) {
  if (!record && !busy && !error) return null
  return (
    <Section title="Preview" aside={record && !busy ? <Counts record={record} /> : null}>
      {busy ? <Progress value={100 * share} size="xs" aria-label="Upload" animated={share === 1} /> : null}
      {error ? <ErrorState error={error} title="The files were refused" /> : null}
      {record ? (
        <>
          {notesOf(record).map(warning => (
            <div key={warning} className="row">
              <StatusBadge status={{ word: 'Note', tone: 'warn' }} />
              <UntrustedText text={warning} layout="prose" />
            </div>
          ))}
          <AnswersErrors record={record} />
          <RecordedFigures record={record} />
          {record.benchmarks.length > 0 ? (
            <PlainTable label="Benchmarks" columns={benchmarkColumns} rows={record.benchmarks} rowId={row => `${row.slug} ${row.tasks}`} />
          ) : null}
          <Listed
            title="Rows without a task"
            count={record.rows.unmatched}
            items={record.unmatched.map(({ line, key }) => `line ${line}: ${key}`)}
          />
          <Listed title="Tasks without an output" count={record.tasks.missing} items={record.missing_tasks} />
          {record.preview.length > 0 ? (
            <PlainTable
              label="First outputs"
              columns={rowColumns}
              rows={record.preview}
              rowId={row => `${row.model} ${row.task_id} ${row.epoch}`}
            />
          ) : null}
        </>
      ) : null}
    </Section>
  )
}

export function AnswersErrors({ record }: { readonly record: AnswerImport }) {
  if (record.error_count === 0) return null
  return (
    <div className="stack" role="alert">
      <StatusBadge status={{ word: `${formatCount(record.error_count)} ${record.error_count === 1 ? 'error' : 'errors'}`, tone: 'fail' }} />
      <PlainTable
        label="Errors"
        columns={errorColumns}
        rows={record.errors.map((error, index) => ({ ...error, index }))}
        rowId={error => String(error.index)}
      />
    </div>
  )
}

function Counts({ record: { rows, tasks, models, benchmarks } }: { readonly record: AnswerImport }) {
  return (
    <span className="row small num">
      <span>{formatCount(rows.read)} rows</span>
      <StatusBadge status={{ word: `${formatCount(rows.matched)} matched`, tone: rows.matched > 0 ? 'pass' : 'neutral' }} />
      {rows.unmatched > 0 ? <StatusBadge status={{ word: `${formatCount(rows.unmatched)} unmatched`, tone: 'warn' }} /> : null}
      <span>
        {formatCount(tasks.answered)} of {formatCount(tasks.total)} tasks
      </span>
      {benchmarks.length > 1 ? <span>{formatCount(benchmarks.length)} benchmarks</span> : null}
      {models.length > 1 ? <span>{formatCount(models.length)} models</span> : null}
    </span>
  )
}

function Listed({ title, count, items }: { readonly title: string; readonly count: number; readonly items: readonly string[] }) {
  if (count === 0) return null
  return (
    <details>
      <summary>
        {title}: {formatCount(count)}
        {count > items.length ? `, the first ${formatCount(items.length)} listed` : ''}
      </summary>
      <UntrustedText text={items.join('\n')} layout="prose" />
    </details>
  )
}
