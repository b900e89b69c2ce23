import './tuning.css'
import { Anchor, Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import type { TuneMonitor, TuneOccurrence } from '../../contract/tuning/monitors.schemas.ts'
import { benchmarkName } from '../../lib/format/benchmark-names.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { JobPause } from '../app/pause-description.tsx'
import { DeleteItem } from '../items/delete-item.tsx'
import { runQuery } from '../runs/runs.queries.ts'
import { notifyFailed } from '../ui/page/notify.ts'
import { KeyValues } from '../ui/page/key-values.tsx'
import { Page, PageHeader, Section } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { LoadMore } from '../ui/table/load-more.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { OccurrenceDetails } from './occurrence-details.tsx'
import { useModelNames } from './use-model-names.ts'
import { monitorsQuery, occurrencesQuery, sessionNameQuery, useMonitorStatus, useRunMonitor } from './tuning.queries.ts'
import {
  confidenceText,
  meanText,
  describeModel,
  formatPoints,
  marginText,
  monitorStatuses,
  occurrenceStatus,
  triggerWords,
} from './tuning-words.ts'

export function MonitorPage() {
  const { monitorId = '' } = useParams()
  const query = useQuery(monitorsQuery)
  const monitor = query.data?.find(({ id }) => id === monitorId)
  if (monitor) return <MonitorView monitor={monitor} />
  return (
    <Page>
      <PageHeader title="Monitor" parent={monitors} />
      <QueryView query={query} failure="Couldn’t load the monitor">
        {() => (
          <EmptyState
            title="Monitor not found"
            action={
              <Button component={Link} to="/tuning/monitors" variant="default">
                All monitors
              </Button>
            }
          />
        )}
      </QueryView>
    </Page>
  )
}

const monitors = { title: 'Monitors', to: '/tuning/monitors' } as const

function MonitorView({ monitor }: { readonly monitor: TuneMonitor }) {
  const { baseline, schedule, stream } = monitor
  const query = useInfiniteQuery(occurrencesQuery(monitor.id))
  const names = useModelNames()
  return (
    <Page>
      <PageHeader
        title={monitor.name}
        parent={monitors}
        aside={<StatusBadge status={monitorStatuses[monitor.status]} />}
        actions={
          <>
            <RequestMenu operation="listTuneOccurrences" request={{ params: { monitor_id: monitor.id }, query: {} }} />
            <MonitorActions monitor={monitor} />
          </>
        }
      />
      <KeyValues
        items={{
          Model: <UntrustedText text={describeModel(monitor.target, names)} layout="prose" />,
          Session: monitor.session_id === null ? null : <SessionLink id={monitor.session_id} />,
          Benchmark: <MonitoredBenchmark monitor={monitor} />,
          Baseline: (
            <Anchor component={Link} to={`/runs/${baseline.run_id}`} fz="inherit">
              {meanText(baseline)}
            </Anchor>
          ),
          'Acceptable loss': `${marginText(monitor.margin)} at ${confidenceText(monitor.confidence)} confidence`,
          Schedule: schedule === null ? 'None' : `Every ${schedule}`,
          'Next check': monitor.next_run_at === null ? null : <RelativeTime at={monitor.next_run_at} />,
          'False alarms':
            monitor.evaluator_version_id === null
              ? null
              : `at most one in ${formatCount(stream.false_alarm_every)} outputs on average; outputs of one cluster count once`,
          'Outputs graded': monitor.evaluator_version_id === null ? null : formatCount(monitor.outputs_seen),
          'Spent this month': (
            <>
              <Money microUsd={monitor.spent_this_month_microusd} /> of <Money microUsd={monitor.max_monthly_microusd} />
            </>
          ),
        }}
      />
      <QueryView query={query} failure="Couldn’t load the checks">
        {data => (
          <>
            <Occurrences occurrences={allItems(data)} />
            <LoadMore query={query} label="Show earlier checks" />
          </>
        )}
      </QueryView>
    </Page>
  )
}

/** What every check runs: one profile, also where the baseline ran several. Its id is what the API wants. */
export function MonitoredBenchmark({ monitor }: { readonly monitor: Pick<TuneMonitor, 'baseline' | 'profile_id' | 'target'> }) {
  const { baseline, profile_id, target } = monitor
  const { data: run } = useQuery(runQuery(baseline.run_id))
  const id = target.prompt?.profile_id ?? profile_id
  const profile = run?.profiles.find(one => one.profile_id === id)
  return (
    <>
      {profile ? <UntrustedText text={benchmarkName([profile])} layout="prose" /> : null}
      <div className="mono quiet small">
        <UntrustedText text={id} layout="prose" />
      </div>
    </>
  )
}

/** The session whose cases are run again, by its name. */
function SessionLink({ id }: { readonly id: string }) {
  const session = useQuery(sessionNameQuery(id))
  return (
    <Anchor component={Link} to={`/tuning/${id}`} fz="inherit">
      <UntrustedText text={session.data ?? 'Tuning session'} layout="prose" />
    </Anchor>
  )
}

function MonitorActions({ monitor: { id, status } }: { readonly monitor: TuneMonitor }) {
  const change = useMonitorStatus(id)
  const run = useRunMonitor(id)
  const navigate = useNavigate()
  const remove = <DeleteItem kind="monitor" id={id} onDone={() => void navigate('/tuning/monitors')} />
  if (status === 'archived') return remove
  const fail = { onError: (error: Error) => notifyFailed('Couldn’t change the monitor', error) }
  return (
    <>
      {remove}
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate('archived', fail)}>
        Archive
      </Button>
      <Button variant="default" loading={change.isPending} onClick={() => change.mutate(status === 'active' ? 'paused' : 'active', fail)}>
        {status === 'active' ? 'Pause' : 'Resume'}
      </Button>
      {status === 'active' ? (
        <Button loading={run.isPending} onClick={() => run.mutate(undefined, fail)}>
          Check now
        </Button>
      ) : null}
    </>
  )
}

function Occurrences({ occurrences }: { readonly occurrences: readonly TuneOccurrence[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = occurrences.find(({ id }) => id === chosen) ?? occurrences.find(({ detector }) => detector !== null) ?? occurrences[0]
  if (!shown)
    return (
      <EmptyState title="No checks yet">
        Choose “Check now”, send a release event, or send outputs through the API. Each check appears here with its verdict.
      </EmptyState>
    )
  const columns: readonly Column<TuneOccurrence>[] = [
    {
      id: 'trigger',
      title: 'Check',
      width: 160,
      grow: true,
      rowHeader: true,
      cell: one => (
        <button type="button" className="results-toggle" aria-pressed={one.id === shown.id} onClick={() => setChosen(one.id)}>
          {triggerWords[one.trigger.type]}
        </button>
      ),
    },
    { id: 'verdict', title: 'Verdict', width: 210, cell: one => <StatusBadge status={occurrenceStatus(one)} /> },
    {
      id: 'difference',
      title: 'Difference (points)',
      width: 190,
      align: 'end',
      cell: ({ difference }) =>
        difference === null ? (
          <span className="quiet">–</span>
        ) : (
          `${formatPoints(difference.estimate)} [${formatPoints(difference.low)}, ${formatPoints(difference.high)}]`
        ),
    },
    { id: 'n', title: 'n', width: 70, align: 'end', cell: ({ n }) => (n === null ? '–' : formatCount(n)) },
    {
      id: 'spent',
      title: 'Cost',
      width: 90,
      align: 'end',
      cell: ({ spent_microusd: spent, provider_billed_microusd: billed }) => <Money microUsd={String(BigInt(spent) + BigInt(billed))} />,
    },
    { id: 'at', title: 'When', width: 130, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  ]
  return (
    <>
      <Section title="Verdicts over time">
        <ol className="tuning-timeline" aria-label="Verdicts, oldest first">
          {occurrences.toReversed().map(one => (
            <li key={one.id}>
              <StatusBadge status={occurrenceStatus(one)} />{' '}
              <span className="quiet small">
                <RelativeTime at={one.created_at} />
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <Section title="Selected check">
        {shown.status === 'running' ? <JobPause jobId={shown.job_id} /> : null}
        <OccurrenceDetails occurrence={shown} />
      </Section>
      <Section title="Checks">
        <PlainTable label="Checks" columns={columns} rows={occurrences} rowId={({ id }) => id} />
      </Section>
    </>
  )
}
