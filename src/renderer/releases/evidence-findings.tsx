import type { EvidencePreview } from '../../contract/releases/evidence.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

type Pair = EvidencePreview['pairs'][number]
type Metric = EvidencePreview['metrics'][number]
type Task = EvidencePreview['per_task'][number]

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

/** The question in the file beside the one of the suite: whoever reads them sees whether they are the same. */
const pairColumns: readonly Column<Pair>[] = [
  {
    id: 'file',
    title: 'Question in the file',
    width: 320,
    grow: true,
    cell: ({ file_text: text }) =>
      text === null ? <span className="quiet">Not in the file</span> : <UntrustedText text={text} layout="prose" />,
  },
  {
    id: 'task',
    title: 'Question of the suite',
    width: 320,
    grow: true,
    cell: ({ task_text: text }) => <UntrustedText text={text} layout="prose" />,
  },
  { id: 'id', title: 'Task', width: 160, rowHeader: true, cell: ({ task_id: id }) => <UntrustedText text={id} layout="inline" /> },
  { id: 'by', title: 'Matched by', width: 110, cell: ({ by }) => (by === 'text' ? 'Question' : 'Id') },
]

const shownMetrics = 50

/** What an analysis of evidence found, or would find. */
export function EvidenceFindings({ found: analysis }: { readonly found: EvidencePreview }) {
  return (
    <>
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
          {formatCount(analysis.mapped)} of {formatCount(analysis.rows)} rows belong to{' '}
          {analysis.suite_version_id === null ? 'a task' : 'a task of the suite'}.
        </p>
      )}
      {analysis.pairs.length > 0 ? (
        <PlainTable label="Matched tasks" columns={pairColumns} rows={analysis.pairs} rowId={({ task_id: task }) => task} />
      ) : null}
      {analysis.metrics.length > 0 ? (
        <PlainTable
          label="Metrics"
          columns={metricColumns}
          rows={analysis.metrics.slice(0, shownMetrics)}
          rowId={({ name, group, label }) => JSON.stringify([name, group, label])}
        />
      ) : null}
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
    </>
  )
}
