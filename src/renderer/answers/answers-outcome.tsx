import { Anchor, Button } from '@mantine/core'
import { Link } from 'react-router'
import type { AnswerImport, LogMetric } from '../../contract/answers/answers.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatPercent } from '../../lib/format/percent.ts'
import { keptMedia } from '../catalog/fetch-media-choice.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { importStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { AnswersErrors } from './answers-preview.tsx'
import type { AnswersAttempt } from './answers.queries.ts'
import { RecordedFigures } from './recorded-figures.tsx'

type ImportedRun = AnswerImport['runs'][number]
type Disagreement = AnswerImport['disagreements'][number]

/** @param source of a score, where there are several runs */
const metricColumns = (source: ((metric: LogMetric) => string) | null): readonly Column<LogMetric>[] => [
  ...(source
    ? [{ id: 'run', title: 'Run', width: 200, cell: (metric: LogMetric) => <UntrustedText text={source(metric)} layout="prose" /> }]
    : []),
  {
    id: 'log',
    title: 'Score in the log',
    width: 180,
    rowHeader: true,
    cell: metric => <UntrustedText text={metric.log_metric} layout="prose" />,
  },
  { id: 'n', title: 'Samples', width: 84, align: 'end', cell: metric => formatCount(metric.n) },
  { id: 'log_mean', title: 'Log', width: 90, align: 'end', cell: metric => formatPercent(metric.log_mean) },
  {
    id: 'mean',
    title: 'Graded by Assay',
    width: 110,
    align: 'end',
    cell: metric => (metric.metric === null ? '' : formatPercent(metric.mean)),
  },
  {
    id: 'differ',
    title: 'Differences',
    width: 240,
    grow: true,
    cell: metric =>
      metric.metric === null ? (
        <UntrustedText text={metric.reason ?? ''} layout="prose" />
      ) : (
        <>
          <StatusBadge
            status={metric.disagreements === 0 ? { word: 'None', tone: 'pass' } : { word: formatCount(metric.disagreements), tone: 'warn' }}
          />
          {metric.disagreements > 0 ? <Releases metric={metric} /> : null}
        </>
      ),
  },
]

const disagreementColumns: readonly Column<Disagreement>[] = [
  {
    id: 'task',
    title: 'Task',
    width: 150,
    rowHeader: true,
    cell: row => (
      <Anchor component={Link} inherit to={`/runs/${row.run_id}/samples/${row.sample_id}`}>
        <UntrustedText text={row.epoch > 1 ? `${row.task_id}, epoch ${row.epoch}` : row.task_id} layout="inline" />
      </Anchor>
    ),
  },
  { id: 'metric', title: 'Score', width: 160, cell: row => <UntrustedText text={row.log_metric} layout="prose" /> },
  { id: 'log', title: 'Log', width: 80, align: 'end', cell: row => String(row.log_value) },
  { id: 'ours', title: 'Here', width: 80, align: 'end', cell: row => (row.value === null ? 'none' : String(row.value)) },
  { id: 'why', title: 'Graded by Assay', width: 280, grow: true, cell: row => <UntrustedText text={row.explanation} layout="prose" /> },
]

const runColumns = (title: (run: ImportedRun) => string): readonly Column<ImportedRun>[] => [
  {
    id: 'model',
    title: 'Model',
    width: 200,
    rowHeader: true,
    cell: run => (
      <Anchor component={Link} inherit to={`/runs/${run.run_id}`}>
        {<UntrustedText text={run.model} layout="inline" />}
      </Anchor>
    ),
  },
  { id: 'benchmark', title: 'Benchmark', width: 240, grow: true, cell: run => <UntrustedText text={title(run)} layout="prose" /> },
]

/** A button for one run or one for each model; a table where there are several benchmarks. */
function Runs({ record: { runs, benchmarks } }: { readonly record: AnswerImport }) {
  const title = titlesOf(benchmarks)
  if (benchmarks.length > 1) return <PlainTable label="Runs" columns={runColumns(title)} rows={runs} rowId={run => run.run_id} />
  return (
    <div className="row">
      {runs.map(({ run_id, model }) => (
        <Button key={run_id} component={Link} to={`/runs/${run_id}`} variant={runs.length > 1 ? 'default' : 'filled'}>
          {runs.length > 1 ? <UntrustedText text={model} layout="inline" /> : 'Open the run'}
        </Button>
      ))}
    </div>
  )
}

/** The model and the benchmark that a score is of; null where there is one run. */
function sourceOf({ runs, benchmarks }: AnswerImport): ((metric: LogMetric) => string) | null {
  if (runs.length < 2) return null
  const title = titlesOf(benchmarks)
  const names = new Map(runs.map(run => [run.run_id, benchmarks.length > 1 ? `${run.model}, ${title(run)}` : run.model]))
  return ({ run_id }) => names.get(run_id) ?? ''
}

/** The title of the benchmark of a run, whose profile id begins with its slug. */
function titlesOf(benchmarks: AnswerImport['benchmarks']): (run: ImportedRun) => string {
  const titles = new Map(benchmarks.map(({ slug, title }) => [slug, title]))
  return ({ profile_id: id }) => titles.get(id?.split('@')[0] ?? '') ?? ''
}

/** Another release may have another rule, which is the first thing to look at where scores differ. */
function Releases({ metric: { log_release: log, release } }: { readonly metric: LogMetric }) {
  if (!log || !release) return null
  return (
    <div className="quiet small">
      <UntrustedText text={log === release ? `Both by ${log}` : `Log by ${log}, graded by the rule of ${release}`} layout="prose" />
    </div>
  )
}

/** What an import of outputs became: its runs, and the log's own scores beside ours. */
export function AnswersOutcome({ attempt: { record, busy, error } }: { readonly attempt: AnswersAttempt }) {
  if (!record && !error) return null
  return (
    <Section title="Result" aside={record ? <StatusBadge status={importStatuses[record.status]} /> : null}>
      {error ? <ErrorState error={error} title="The import failed" /> : null}
      {busy && record && record.runs.length > 0 ? (
        <output className="quiet small">Grading {formatCount(record.rows.matched)} outputs</output>
      ) : null}
      {record?.status === 'failed' ? (
        <>
          <AnswersErrors record={record} />
          <span>{keptMedia(record)}</span>
        </>
      ) : null}
      {record && record.runs.length > 0 ? <Runs record={record} /> : null}
      {record?.status === 'imported' ? <RecordedFigures record={record} /> : null}
      {record && record.log_metrics.length > 0 ? (
        <PlainTable
          label="Scores in the log and by Assay"
          columns={metricColumns(sourceOf(record))}
          rows={record.log_metrics}
          rowId={metric => `${metric.run_id} ${metric.log_metric}`}
        />
      ) : null}
      {record && record.disagreements.length > 0 ? (
        <PlainTable
          label="Samples that are scored differently"
          columns={disagreementColumns}
          rows={record.disagreements}
          rowId={row => `${row.sample_id} ${row.log_metric}`}
        />
      ) : null}
    </Section>
  )
}
