import './tuning.css'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { TuneMonitor } from '../../contract/tuning/monitors.schemas.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { archivedOptions } from '../items/filing-filters.tsx'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { SelectFilter } from '../ui/forms/filters.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { AllArchived } from '../ui/states/all-archived.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useModelNames } from './use-model-names.ts'
import { monitorsQuery, useMonitorStatus } from './tuning.queries.ts'
import { TuningTabs } from './tuning-tabs.tsx'
import { checkFailed, meanText, describeModel, monitorStatuses, verdictStatuses } from './tuning-words.ts'

const columnsOf = (names: ReadonlyMap<string, string>, onArchive: (monitor: TuneMonitor) => void): readonly Column<TuneMonitor>[] => [
  {
    id: 'name',
    title: 'Monitor',
    width: 142,
    grow: true,
    rowHeader: true,
    cell: ({ id, name }) => <NameLink to={`/tuning/monitors/${id}`} name={name} />,
  },
  { id: 'status', title: 'Status', width: 95, cell: ({ status }) => <StatusBadge status={monitorStatuses[status]} /> },
  {
    id: 'verdict',
    title: 'Last verdict',
    width: 115,
    cell: ({ last_verdict: verdict, last_occurrence: last }) =>
      last?.status === 'failed' ? (
        <StatusBadge status={checkFailed} />
      ) : verdict === null ? (
        <span className="quiet">none yet</span>
      ) : (
        <StatusBadge status={verdictStatuses[verdict]} />
      ),
  },
  { id: 'target', title: 'Model', width: 96, cell: ({ target }) => <UntrustedText text={describeModel(target, names)} layout="prose" /> },
  { id: 'baseline', title: 'Baseline', width: 205, align: 'end', cell: ({ baseline }) => meanText(baseline) },
  {
    id: 'schedule',
    title: 'Schedule',
    width: 85,
    cell: ({ schedule }) => (schedule === null ? <span className="quiet">none</span> : `every ${schedule}`),
  },
  {
    id: 'spent',
    title: 'This month',
    width: 90,
    align: 'end',
    cell: ({ spent_this_month_microusd: spent }) => <Money microUsd={spent} />,
  },
  { id: 'last', title: 'Last check', width: 112, cell: ({ last_occurrence: last }) => <RelativeTime at={last?.at ?? null} /> },
  {
    id: 'archive',
    title: 'Action',
    width: 80,
    cell: monitor =>
      monitor.status === 'archived' ? null : (
        <Button size="compact-xs" variant="subtle" aria-label={`Archive ${showHidden(monitor.name)}`} onClick={() => onArchive(monitor)}>
          Archive
        </Button>
      ),
  },
]

export function MonitorsPage() {
  const query = useQuery(monitorsQuery)
  const { get, set } = useAddress()
  const archived = oneOf(get('archived'), ['true', 'any'])
  const [leaving, setLeaving] = useState<TuneMonitor | null>(null)
  const columns = columnsOf(useModelNames(), setLeaving)
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
            <MonitorsTable
              columns={columns}
              monitors={monitors.filter(({ status }) => archived === 'any' || (status === 'archived') === (archived === 'true'))}
              isOffered={monitors.some(({ status }) => status === 'archived')}
              isArchived={archived !== undefined}
              onShow={() => set({ archived: 'true' })}
            />
          )
        }
      </QueryView>
      {leaving === null ? null : <ArchiveMonitor key={leaving.id} monitor={leaving} onClose={() => setLeaving(null)} />}
    </Page>
  )
}

interface MonitorsTableProps {
  readonly columns: readonly Column<TuneMonitor>[]
  /** Those that the filter lists. */
  readonly monitors: readonly TuneMonitor[]
  /** Whether any is archived. */
  readonly isOffered: boolean
  /** Whether the list is narrowed to, or shows, archived ones. */
  readonly isArchived: boolean
  readonly onShow: () => void
}

function MonitorsTable({ columns, monitors, isOffered, isArchived, onShow }: MonitorsTableProps) {
  return (
    <>
      {isOffered || isArchived ? <SelectFilter label="Archived" name="archived" options={archivedOptions} width={140} /> : null}
      {monitors.length > 0 ? (
        <PlainTable label="Monitors" columns={columns} rows={monitors} rowId={({ id }) => id} />
      ) : isArchived ? (
        <EmptyState title="No archived monitors" />
      ) : (
        <AllArchived kind="monitor" onShow={onShow} />
      )}
    </>
  )
}

function ArchiveMonitor({ monitor: { id, name }, onClose }: { readonly monitor: TuneMonitor; readonly onClose: () => void }) {
  const change = useMonitorStatus(id)
  return (
    <ConfirmDialog
      opened
      title={`Archive “${showHidden(name)}”?`}
      action="Archive"
      onClose={onClose}
      onConfirm={() => change.mutateAsync('archived')}
    >
      It never checks again. Its verdicts stay readable.
    </ConfirmDialog>
  )
}
