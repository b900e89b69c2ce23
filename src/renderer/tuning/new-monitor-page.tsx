import './tuning.css'
import { useQuery } from '@tanstack/react-query'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { RequestMenu } from '../ui/page/request-menu.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { useAddress } from '../ui/table/use-address.ts'
import { MonitorForm } from './monitor-form.tsx'
import { newTerms, termsOfSession } from './monitor-terms.ts'
import { sessionQuery } from './tuning.queries.ts'

/** A monitor of a run, or of a session's result: `?session=<id>`. */
export function NewMonitorPage() {
  const { get } = useAddress()
  const sessionId = get('session')
  return (
    <Page layout="narrow">
      <PageHeader
        title="New monitor"
        parent={{ title: 'Monitors', to: '/tuning/monitors' }}
        description="Reruns a benchmark and compares it, case by case, with an earlier run."
        actions={<RequestMenu operation="listTuneMonitors" request={{ query: {} }} />}
      />
      {sessionId === '' ? <MonitorForm first={newTerms} session={null} /> : <SessionMonitor sessionId={sessionId} />}
    </Page>
  )
}

function SessionMonitor({ sessionId }: { readonly sessionId: string }) {
  const query = useQuery(sessionQuery(sessionId))
  return (
    <QueryView query={query} failure="Couldn’t load the tuning session">
      {session => {
        const first = termsOfSession(session)
        return first ? (
          <MonitorForm first={first} session={session} />
        ) : (
          <EmptyState title="No result to monitor">A session can be monitored once a run group has ended.</EmptyState>
        )
      }}
    </QueryView>
  )
}
