import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Schedule } from '../../contract/schedules/schedules.schemas.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { describeCalendar, scheduleStatus } from './schedule-words.ts'
import { schedulesQuery } from './schedules.queries.ts'

const columns: readonly Column<Schedule>[] = [
  {
    id: 'name',
    title: 'Schedule',
    width: 160,
    grow: true,
    rowHeader: true,
    cell: ({ id, name }) => <NameLink to={`/schedules/${id}`} name={name} />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 115,
    cell: schedule => <StatusBadge status={scheduleStatus(schedule)} title={schedule.pause_message ?? undefined} />,
  },
  { id: 'calendar', title: 'Calendar', width: 220, cell: describeCalendar },
  { id: 'next', title: 'Next run', width: 110, cell: ({ next_run_at: next }) => <RelativeTime at={next} /> },
  { id: 'last', title: 'Last run', width: 110, cell: ({ last_occurrence: last }) => <RelativeTime at={last?.created_at ?? null} /> },
  {
    id: 'spent',
    title: 'This month',
    width: 95,
    align: 'end',
    cell: ({ spent_this_month_microusd: spent }) => <Money microUsd={spent} />,
  },
  { id: 'limit', title: 'Monthly limit', width: 110, align: 'end', cell: ({ max_monthly_microusd: limit }) => <Money microUsd={limit} /> },
]

/** Runs that begin by a calendar. */
export function SchedulesPage() {
  const query = useQuery(schedulesQuery)
  return (
    <Page>
      <PageHeader
        title="Schedules"
        parent={{ title: 'Runs', to: '/runs' }}
        description="The same models and tasks again by a calendar, within a monthly limit."
        actions={<RequestMenu operation="listSchedules" request={{ query: {} }} />}
      />
      <QueryView query={query} failure="Couldn’t load schedules">
        {schedules =>
          schedules.length === 0 ? (
            <EmptyState
              title="No schedules yet"
              picture="schedules"
              action={
                <Button variant="default" component={Link} to="/runs">
                  Choose a run
                </Button>
              }
            >
              Open a run and choose “Run on a schedule…” in its menu.
            </EmptyState>
          ) : (
            <PlainTable label="Schedules" columns={columns} rows={schedules} rowId={({ id }) => id} />
          )
        }
      </QueryView>
    </Page>
  )
}
