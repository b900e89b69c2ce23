import { Anchor, Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { allows } from '../../contract/machine.ts'
import { scheduleMachine } from '../../contract/schedules/schedule.machine.ts'
import type { Schedule, ScheduleOccurrence } from '../../contract/schedules/schedules.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatTimestamp } from '../../lib/format/time.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { allItems } from '../api/pages.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { KeyValues } from '../ui/page/key-values.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
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
import { MonthlyLimitDialog } from './monthly-limit-dialog.tsx'
import { describeCalendar, occurrenceReason, occurrenceStatus, scheduleStatus } from './schedule-words.ts'
import { occurrencesQuery, scheduleQuery, useChangeSchedule } from './schedules.queries.ts'

const parent = { title: 'Schedules', to: '/schedules' }

export function SchedulePage() {
  const { scheduleId = '' } = useParams()
  const query = useQuery(scheduleQuery(scheduleId))
  return (
    <Page>
      <QueryView query={query} failure="Couldn’t load the schedule" header={<PageHeader title="Schedule" parent={parent} />}>
        {schedule => <ScheduleView key={schedule.id} schedule={schedule} />}
      </QueryView>
    </Page>
  )
}

function ScheduleView({ schedule }: { readonly schedule: Schedule }) {
  const occurrences = useInfiniteQuery(occurrencesQuery(schedule.id))
  const { frozen, terms } = schedule
  return (
    <>
      <PageHeader
        title={showHidden(schedule.name)}
        parent={parent}
        aside={<StatusBadge status={scheduleStatus(schedule)} />}
        description={schedule.pause_message === null ? undefined : <UntrustedText text={schedule.pause_message} layout="prose" />}
        actions={<ScheduleActions schedule={schedule} />}
      />
      <KeyValues
        items={{
          Calendar: describeCalendar(schedule),
          'Next run': schedule.next_run_at === null ? null : formatTimestamp(schedule.next_run_at),
          Models: formatCount(terms.models.length),
          'Calls each time': formatCount(frozen.model_calls),
          'Wallet limit each time': <Money microUsd={terms.max_charge_microusd} />,
          'Provider cost each time, at most': <Money microUsd={frozen.provider_billed_upper_bound_microusd} />,
          'Spent this month': <Money microUsd={schedule.spent_this_month_microusd} />,
          'Monthly limit': <Money microUsd={schedule.max_monthly_microusd} />,
        }}
      />
      <Section title="Runs">
        <QueryView query={occurrences} failure="Couldn’t load the runs of the schedule">
          {data =>
            allItems(data).length === 0 ? (
              <EmptyState title="Nothing has run yet" />
            ) : (
              <PlainTable label="Runs of the schedule" columns={columns} rows={allItems(data)} rowId={({ id }) => id} />
            )
          }
        </QueryView>
        <LoadMore query={occurrences} />
      </Section>
    </>
  )
}

const columns: readonly Column<ScheduleOccurrence>[] = [
  {
    id: 'due',
    title: 'Due',
    width: 190,
    rowHeader: true,
    cell: ({ due_at: at, run_group_id: group }) =>
      group === null ? (
        formatTimestamp(at)
      ) : (
        <Anchor component={Link} to={`/run-groups/${group}`} fz="inherit" c="inherit">
          {formatTimestamp(at)}
        </Anchor>
      ),
  },
  { id: 'started', title: 'Started', width: 130, cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  { id: 'status', title: 'Status', width: 120, cell: row => <StatusBadge status={occurrenceStatus(row)} /> },
  {
    id: 'message',
    title: 'Reason',
    width: 320,
    grow: true,
    cell: row => {
      const reason = occurrenceReason(row)
      return reason === null ? null : <UntrustedText text={reason} layout="prose" />
    },
  },
  { id: 'spent', title: 'Spent', width: 100, align: 'end', cell: ({ spent_microusd: spent }) => <Money microUsd={spent} /> },
]

function ScheduleActions({ schedule }: { readonly schedule: Schedule }) {
  const [asks, setAsks] = useState<'archive' | 'limit' | null>(null)
  const change = useChangeSchedule(schedule.id)
  const turn = (status: Schedule['status']): void =>
    change.mutate({ status }, { onError: error => notifyFailed('Couldn’t change the schedule', error) })
  if (schedule.status === 'archived') return <RequestMenu operation="getSchedule" request={{ params: { schedule_id: schedule.id } }} />
  return (
    <>
      <RequestMenu operation="getSchedule" request={{ params: { schedule_id: schedule.id } }} />
      <Button variant="default" onClick={() => setAsks('archive')}>
        Archive
      </Button>
      <Button variant="default" onClick={() => setAsks('limit')}>
        Change limit
      </Button>
      {allows(scheduleMachine, schedule.status, 'resume') ? (
        <Button loading={change.isPending} onClick={() => turn('active')}>
          Resume
        </Button>
      ) : (
        <Button variant="default" loading={change.isPending} onClick={() => turn('paused')}>
          Pause
        </Button>
      )}
      <ConfirmDialog
        opened={asks === 'archive'}
        onClose={() => setAsks(null)}
        title={`Archive “${showHidden(schedule.name)}”?`}
        action="Archive schedule"
        onConfirm={() => change.mutateAsync({ status: 'archived' })}
      >
        It starts nothing more and can’t be resumed. Its runs stay.
      </ConfirmDialog>
      {asks === 'limit' ? <MonthlyLimitDialog schedule={schedule} onClose={() => setAsks(null)} /> : null}
    </>
  )
}
