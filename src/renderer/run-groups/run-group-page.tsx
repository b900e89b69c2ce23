import '../runs/runs.css'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import type { GroupedRun, RunGroup } from '../../contract/run-groups/run-groups.schemas.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import { profileName } from '../../lib/format/benchmark-names.ts'
import { formatCount, noNumber } from '../../lib/format/numbers.ts'
import { formatEstimate } from '../../lib/format/percent.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { presentStatus, whyStopped } from '../runs/follow-up.ts'
import { OutcomeBar } from '../runs/outcome-bar.tsx'
import { soFar } from '../runs/so-far.ts'
import { spentOf } from '../runs/spent.ts'
import { formatTimeLeft } from '../runs/time-left.ts'
import { scheduleLink } from '../schedules/schedule-link.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { runGroupQuery, useCancelRunGroup, useCompareRunGroup } from './run-groups.queries.ts'

const parent = { title: 'Runs', to: '/runs' }

/** Several models on the same tasks while they run, and the way to their comparison. */
export function RunGroupPage() {
  const { groupId = '' } = useParams()
  const query = useQuery(runGroupQuery(groupId))
  return (
    <Page>
      <QueryView query={query} failure="Couldn’t load the run group" header={<PageHeader title="Run group" parent={parent} />}>
        {group => <GroupView key={group.id} group={group} />}
      </QueryView>
    </Page>
  )
}

function GroupView({ group }: { readonly group: RunGroup }) {
  const profiles = group.runs[0]?.run.profiles
  const columns = useMemo(() => columnsOf(profiles ?? []), [profiles])
  return (
    <>
      <PageHeader
        title={showHidden(group.name)}
        parent={parent}
        description={
          <>
            {formatCount(group.runs.length)} runs, submitted <RelativeTime at={group.created_at} />
          </>
        }
        actions={
          <>
            <RequestMenu operation="getRunGroup" request={{ params: { run_group_id: group.id } }} />
            <ScheduleGroup group={group} />
            {group.ended ? <CompareGroup group={group} /> : <CancelGroup group={group} />}
          </>
        }
      />
      <PlainTable label="Runs of the group" columns={columns} rows={group.runs} rowId={({ run }) => run.id} />
    </>
  )
}

function columnsOf(profiles: GroupedRun['run']['profiles']): readonly Column<GroupedRun>[] {
  return [
    {
      id: 'model',
      title: 'Model',
      width: 150,
      grow: true,
      rowHeader: true,
      cell: ({ run }) => (
        <Anchor component={Link} to={`/runs/${run.id}`} fz="inherit" c="inherit">
          <UntrustedText text={run.model.title} layout="prose" />
        </Anchor>
      ),
    },
    {
      id: 'status',
      title: 'Status',
      width: 118,
      cell: ({ run }) => <StatusBadge status={presentStatus(run)} title={whyStopped(run)?.message} />,
    },
    { id: 'progress', title: 'Progress', width: 200, cell: ({ run }) => <Progress run={run} /> },
    ...profiles.map(
      (profile): Column<GroupedRun> => ({
        id: profile.profile_id,
        title: showHidden(profileName(profile)),
        width: 216,
        align: 'end',
        cell: ({ run, scores }) => <Score run={run} score={scores.find(score => score.profile_id === profile.profile_id)} />,
      }),
    ),
    { id: 'spent', title: 'Spent', width: 112, align: 'end', cell: ({ run }) => <Money microUsd={spentOf(run)} /> },
  ]
}

function Progress({ run: { status, progress, name } }: Pick<GroupedRun, 'run'>) {
  const { completed, frozen, seconds_left: left } = progress
  return (
    <span className="runs-cell">
      <OutcomeBar progress={progress} label={`Progress of ${name}`} bare />
      {/* As wide in each row, so that bars compare. */}
      <span className="num" style={{ minWidth: 104 }}>
        {formatCount(completed)} of {formatCount(frozen)}
        {left === null || isTerminal(runMachine, status) ? '' : `, ${formatTimeLeft(left)} left`}
      </span>
    </span>
  )
}

function Score({ run, score }: Pick<GroupedRun, 'run'> & { readonly score: GroupedRun['scores'][number] | undefined }) {
  if (score === undefined || score.mean === null) return noNumber
  return formatEstimate(score.interval === null && run.result_version === null ? soFar(run, score.profile_id, score) : score, true)
}

/** The same models and tasks again by a calendar. */
function ScheduleGroup({ group }: { readonly group: RunGroup }) {
  const link = scheduleLink(group.runs.map(({ run }) => run))
  if (link === null) return null
  return (
    <Button variant="default" component={Link} to={link}>
      Schedule
    </Button>
  )
}

function CompareGroup({ group }: { readonly group: RunGroup }) {
  const navigate = useNavigate()
  const compare = useCompareRunGroup(group.id)
  const comparable = group.runs.filter(({ run }) => run.result_version !== null).length
  const tooFew = comparable < 2
  const open = (page: '' | '/matrix'): void => compare.mutate(undefined, { onSuccess: ({ id }) => void navigate(`/compare/${id}${page}`) })
  const why = tooFew ? { title: 'Two runs with a result are needed' } : {}
  return (
    <>
      <Button variant="default" disabled={tooFew || compare.isPending} onClick={() => open('/matrix')} {...why}>
        Answers as a matrix
      </Button>
      <Button loading={compare.isPending} disabled={tooFew} onClick={() => open('')} {...why}>
        Compare {formatCount(comparable)} models
      </Button>
      {compare.isError ? <ErrorState error={compare.error} title="Couldn’t compare the runs" /> : null}
    </>
  )
}

function CancelGroup({ group }: { readonly group: RunGroup }) {
  const [asking, setAsking] = useState(false)
  const cancel = useCancelRunGroup(group.id)
  const open = group.runs.filter(({ run }) => !isTerminal(runMachine, run.status)).length
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Cancel all
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Cancel “${group.name}”?`}
        action={open === 1 ? 'Cancel 1 run' : `Cancel ${formatCount(open)} runs`}
        dismiss="Keep running"
        onConfirm={() => cancel.mutateAsync()}
      >
        No further sample is started. What is scored stays, and so does what was charged. Missing samples can be retried later.
      </ConfirmDialog>
    </>
  )
}
