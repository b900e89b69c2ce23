import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run, RunPart } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { headlineMetrics } from '../results/headline-metrics.ts'
import { resultsQuery } from '../results/results.queries.ts'
import { Section } from '../ui/page/page-header.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Estimate, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'
import { OutcomeBar } from './outcome-bar.tsx'
import { POLL_MS, runQuery } from './runs.queries.ts'

const asked = { failed: 'Unscored samples', chosen: 'Selected samples' } as const

/** The retries of a run, newest first: how far they are, and the score before and after. */
export function PartsTable({ run }: { readonly run: Run }) {
  if (run.parts.length === 0) return null
  const columns: readonly Column<RunPart>[] = [
    {
      id: 'part',
      title: 'Retried',
      width: 150,
      grow: true,
      rowHeader: true,
      cell: part => (
        <Anchor component={Link} to={`/runs/${part.run_id}`} fz="inherit">
          {asked[part.selection]}
        </Anchor>
      ),
    },
    { id: 'samples', title: 'Samples', width: 70, align: 'end', cell: part => formatCount(part.samples) },
    { id: 'status', title: 'Status', width: 150, cell: part => <PartStatus part={part} /> },
    {
      id: 'before',
      title: 'Before',
      width: 190,
      align: 'end',
      cell: ({ result_version: version }) => <VersionScore run={run} version={version === null ? null : version - 1} />,
    },
    { id: 'after', title: 'After', width: 190, align: 'end', cell: part => <VersionScore run={run} version={part.result_version} /> },
    { id: 'created', title: 'Started', width: 110, cell: part => <RelativeTime at={part.created_at} /> },
  ]
  return (
    <Section title="Retries">
      <div className="runs-parts">
        <PlainTable label="Retries" columns={columns} rows={run.parts.toReversed()} rowId={part => part.run_id} />
      </div>
    </Section>
  )
}

/** How far a retry is while it works. */
function PartStatus({ part }: { readonly part: RunPart }) {
  const works = !isTerminal(runMachine, part.status)
  const { data } = useQuery({ ...runQuery(part.run_id), enabled: works, refetchInterval: works ? POLL_MS : false })
  if (!works || !data) return <StatusBadge status={runStatuses[part.status]} />
  return (
    <span className="runs-cell">
      <OutcomeBar progress={data.progress} label="Retried samples" bare />
      <span className="num">
        {formatCount(data.progress.completed)} of {formatCount(data.progress.frozen)}
      </span>
    </span>
  )
}

/** The first primary score of one result version, which leads to it. */
function VersionScore({ run, version }: { readonly run: Run; readonly version: number | null }) {
  const { data } = useQuery({ ...resultsQuery(run.id, version ?? 1), enabled: version !== null && version > 0 })
  if (version === null || version === 0) return <span className="quiet">none</span>
  const [first, ...others] = data ? headlineMetrics(data) : []
  return (
    <>
      {first ? <Estimate estimate={first.estimate} /> : <span className="quiet">{data ? 'no score' : '…'}</span>}
      {others.length > 0 ? <span className="quiet"> +{others.length}</span> : null}
      <div>
        <Anchor component={Link} to={`/runs/${run.id}?version=${version}`} fz="inherit">
          version {version}
        </Anchor>
      </div>
    </>
  )
}
