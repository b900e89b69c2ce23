import './tuning.css'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { TuneMonitor } from '../../contract/tuning/monitors.schemas.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useConnectionNames } from './use-connection-names.ts'
import { monitorsQuery } from './tuning.queries.ts'
import { TuningTabs } from './tuning-tabs.tsx'
import { meanText, describeModel, monitorStatuses, verdictStatuses } from './tuning-words.ts'

const columnsOf = (names: ReadonlyMap<string, string>): readonly Column<TuneMonitor>[] => [
  {
    id: 'name',
    title: 'Monitor',
    width: 170,
    grow: true,
    rowHeader: true,
    cell: ({ id, name }) => (
      <Anchor component={Link} to={`/tuning/monitors/${id}`} fz="inherit" c="inherit">
        <UntrustedText text={name} layout="prose" />
      </Anchor>
    ),
  },
  { id: 'status', title: 'Status', width: 95, cell: ({ status }) => <StatusBadge status={monitorStatuses[status]} /> },
  {
    id: 'verdict',
    title: 'Last verdict',
    width: 120,
    cell: ({ last_verdict: verdict, last_occurrence: last }) =>
      last?.status === 'failed' ? (
        <StatusBadge status={{ word: 'Check failed', tone: 'fail' }} />
      ) : verdict === null ? (
        <span className="quiet">none yet</span>
      ) : (
        <StatusBadge status={verdictStatuses[verdict]} />
      ),
  },
  { id: 'target', title: 'Model', width: 120, cell: ({ target }) => <UntrustedText text={describeModel(target, names)} layout="prose" /> },
  { id: 'baseline', title: 'Baseline', width: 225, align: 'end', cell: ({ baseline }) => meanText(baseline) },
  {
    id: 'schedule',
    title: 'Schedule',
    width: 95,
    cell: ({ schedule }) => (schedule === null ? <span className="quiet">none</span> : `every ${schedule}`),
  },
  {
    id: 'spent',
    title: 'This month',
    width: 95,
    align: 'end',
    cell: ({ spent_this_month_microusd: spent }) => <Money microUsd={spent} />,
  },
  { id: 'last', title: 'Last check', width: 110, cell: ({ last_occurrence: last }) => <RelativeTime at={last?.at ?? null} /> },
]

export function MonitorsPage() {
  const query = useQuery(monitorsQuery)
  const columns = columnsOf(useConnectionNames())
  return (
    <Page>
      <PageHeader
        title="Monitors"
        description="Whether a call is still as good as its baseline."
        actions={
          <>
            <RequestMenu operation="listTuneMonitors" request={{ query: {} }} />
            <Button component={Link} to="/tuning/monitors/new">
              New monitor
            </Button>
          </>
        }
      />
      <TuningTabs />
      <QueryView query={query} failure="Couldn’t load monitors">
        {monitors =>
          monitors.length === 0 ? (
            <EmptyState
              title="No monitors yet"
              picture="monitors"
              action={
                <Button variant="default" component={Link} to="/tuning/monitors/new">
                  New monitor
                </Button>
              }
            >
              A monitor runs a benchmark again on a schedule or a release, and watches new outputs for drift.
            </EmptyState>
          ) : (
            <PlainTable label="Monitors" columns={columns} rows={monitors} rowId={({ id }) => id} />
          )
        }
      </QueryView>
    </Page>
  )
}
