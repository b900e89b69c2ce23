import { Button } from '@mantine/core'
import type { Session } from '../../contract/workspace/workspace.schemas.ts'
import { notifyDone, notifyFailed } from '../ui/page/notify.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import type { Column } from '../ui/table/column.ts'
import { PlainTable } from '../ui/table/plain-table.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { useEndSession, useSessions } from './members.queries.ts'

const columns: readonly Column<Session>[] = [
  {
    id: 'kind',
    title: 'Session',
    width: 260,
    grow: true,
    rowHeader: true,
    cell: ({ kind, current }) => (
      <>
        {kind === 'host' ? 'This machine: the desktop window and local tools' : 'Browser'}
        {current ? <span className="quiet"> (this one)</span> : null}
      </>
    ),
  },
  { id: 'since', title: 'Since', width: 130, cell: session => <RelativeTime at={session.created_at} /> },
  { id: 'ends', title: 'Expires', width: 130, cell: session => <RelativeTime at={session.expires_at} /> },
  { id: 'actions', title: 'Actions', width: 130, cell: session => (session.current ? null : <EndSession session={session} />) },
]

/** One's own open sessions; the present one is signed out of in Settings. */
export function SessionsTable() {
  return (
    <QueryView query={useSessions()} failure="Couldn’t load your sessions" loading={<LinesSkeleton lines={2} />}>
      {sessions => <PlainTable label="Your sessions" columns={columns} rows={sessions} rowId={session => session.id} />}
    </QueryView>
  )
}

function EndSession({ session }: { readonly session: Session }) {
  const end = useEndSession()
  if (session.kind === 'host') return <span className="quiet">ends with the service</span>
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={end.isPending}
      onClick={() =>
        end.mutate(session.id, {
          onSuccess: () => notifyDone('That session is signed out.'),
          onError: error => notifyFailed('The session was not signed out', error),
        })
      }
    >
      Sign out
    </Button>
  )
}
