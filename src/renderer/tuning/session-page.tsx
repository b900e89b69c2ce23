import './tuning.css'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TuneSession } from '../../contract/index.ts'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { DraftView } from './draft-view.tsx'
import { sessionQuery } from './tuning.queries.ts'
import { sessionStatuses } from './tuning-words.ts'

export function SessionPage() {
  const { sessionId = '' } = useParams()
  const query = useQuery(sessionQuery(sessionId))
  return (
    <QueryView query={query} failure="Couldn't load the tuning session">
      {session => <SessionView session={session} />}
    </QueryView>
  )
}

function SessionView({ session }: { readonly session: TuneSession }) {
  return (
    <Page>
      <PageHeader
        title={session.name}
        parent={{ title: 'Tuning', to: '/tuning' }}
        aside={<StatusBadge status={sessionStatuses[session.status]} />}
        description={`Revision ${session.revision}, ${session.draft.case_count} cases`}
        actions={
          <>
            <RequestMenu operation="getTuneSession" request={{ params: { session_id: session.id } }} />
          </>
        }
      />
      <DraftView session={session} />
    </Page>
  )
}
