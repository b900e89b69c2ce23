import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import { allows } from '../../contract/machine.ts'
import { workerMachine } from '../../contract/workers/worker.machine.ts'
import type { Worker, WorkerPage } from '../../contract/workers/workers.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { allItems } from '../api/pages.ts'
import { useMe } from '../api/session.queries.ts'
import { ConfirmDialog } from '../ui/forms/confirm.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { Notice } from '../ui/states/notice.tsx'
import type { Column } from '../ui/table/column.ts'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { workerStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useRole } from '../workspace/use-role.ts'
import { ShareKeys, takesCalls } from './share-keys.tsx'
import { useDrainWorker, useQueueState, useWorkers } from './workers.queries.ts'

const columns: readonly Column<Worker>[] = [
  { id: 'name', title: 'Name', width: 160, grow: true, rowHeader: true, cell: ({ name }) => <UntrustedText text={name} layout="inline" /> },
  { id: 'status', title: 'Status', width: 105, cell: ({ status }) => <StatusBadge status={workerStatuses[status]} /> },
  {
    id: 'labels',
    title: 'Labels',
    width: 160,
    grow: true,
    cell: ({ labels }) => <UntrustedText text={labels.join(', ')} layout="inline" />,
  },
  {
    id: 'busy',
    title: 'Slots in use',
    width: 105,
    align: 'end',
    cell: ({ busy, slots }) => <span className="num">{busy === null ? '–' : `${formatCount(busy)} of ${formatCount(slots)}`}</span>,
  },
  {
    id: 'pace',
    title: 'Samples/min',
    width: 105,
    align: 'end',
    cell: ({ samples_per_minute: pace }) => <span className="num">{pace === null ? '–' : formatCount(pace)}</span>,
  },
  { id: 'samples', title: 'Samples', width: 85, align: 'end', cell: ({ samples }) => <span className="num">{formatCount(samples)}</span> },
  { id: 'joined', title: 'Joined', width: 105, cell: worker => <RelativeTime at={worker.joined_at} /> },
  { id: 'seen', title: 'Last heartbeat', width: 115, cell: worker => <RelativeTime at={worker.last_seen_at} /> },
]

/** The machines that work for this service. */
export function WorkersPage() {
  const query = useWorkers()
  const me = useMe()
  const drain = useDrainWorker()
  const { isOwner } = useRole()
  const [draining, setDraining] = useState<Worker | null>(null)
  const [sharingId, setSharingId] = useState<string | null>(null)
  const mayDrain = me.data?.scopes.includes('workers:write') === true
  const withActions = useMemo(
    () => (mayDrain ? [...columns, actionsColumn(setDraining, isOwner ? ({ id }) => setSharingId(id) : null)] : columns),
    [mayDrain, isOwner],
  )
  const sharing = allItems(query.data).find(({ id }) => id === sharingId)
  const queue = useQueueState().data ?? 'connected'
  return (
    <Page layout="fill">
      <PageHeader
        title="Workers"
        parent={{ title: 'Settings', to: '/settings' }}
        description="Machines that grade code and call models for this service."
        actions={<RequestMenu operation="listWorkers" request={{}} />}
      />
      {queue === 'unreachable' ? (
        <Notice tone="warn" title="Queue unreachable">
          PostgreSQL does not respond. New work is done by the service itself until it does.
        </Notice>
      ) : null}
      <PagedTable<Worker>
        query={query}
        failure="Couldn’t load workers"
        id="workers"
        label="Workers"
        columns={withActions}
        rowId={worker => worker.id}
        narrowed={false}
        empty={<NoWorkers queue={queue} />}
      />
      {sharing ? <ShareKeys worker={sharing} onClose={() => setSharingId(null)} /> : null}
      <ConfirmDialog
        opened={draining !== null}
        onClose={() => setDraining(null)}
        title={`Drain ${draining?.name ?? ''}?`}
        action="Drain worker"
        dangerous={false}
        onConfirm={() => drain.mutateAsync(draining?.id ?? '')}
      >
        It finishes the batches that it has, takes no others, and stops. Start it again to have it back.
      </ConfirmDialog>
    </Page>
  )
}

/** @param onShare null for people who are not owners */
function actionsColumn(onDrain: (worker: Worker) => void, onShare: ((worker: Worker) => void) | null): Column<Worker> {
  return {
    id: 'actions',
    title: 'Actions',
    width: onShare ? 130 : 85,
    cell: worker => (
      <span style={{ display: 'flex', gap: 6 }}>
        {allows(workerMachine, worker.status, 'drain') ? (
          <Button size="compact-xs" variant="default" aria-label={`Drain ${worker.name}`} onClick={() => onDrain(worker)}>
            Drain
          </Button>
        ) : null}
        {onShare && takesCalls(worker) ? (
          <Button size="compact-xs" variant="default" aria-label={`Keys of ${worker.name}`} onClick={() => onShare(worker)}>
            Keys
          </Button>
        ) : null}
      </span>
    ),
  }
}

function NoWorkers({ queue }: Pick<WorkerPage, 'queue'>) {
  if (queue === 'off')
    return (
      <EmptyState title="Workers are off">
        All work is done on this machine. For a team, start the service with{' '}
        <span className="mono" style={{ whiteSpace: 'nowrap' }}>
          assay serve --queue postgres://…
        </span>
      </EmptyState>
    )
  return (
    <EmptyState title="No workers">
      Start one on another machine with{' '}
      <span className="mono" style={{ whiteSpace: 'nowrap' }}>
        assay worker --join https://…
      </span>{' '}
      and a key with the scope workers:run.
    </EmptyState>
  )
}
