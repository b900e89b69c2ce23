import './home.css'
import '../quotes/quotes.css'
import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { LookAroundButton } from '../demo/look-around-button.tsx'
import { Page, PageHeader } from '../ui/page/page-header.tsx'
import { LinesSkeleton } from '../ui/states/skeletons.tsx'
import { QueryView } from '../ui/states/query-view.tsx'
import { Attention } from './attention.tsx'
import { FinishedResult } from './finished-result.tsx'
import { FirstSteps } from './first-steps.tsx'
import { useRecentRuns } from './home.queries.ts'
import { RecentRuns } from './recent-runs.tsx'
import { RunningWork } from './running-work.tsx'

export function HomePage() {
  const runs = useRecentRuns()
  const first = runs.data?.length === 0
  return (
    <Page>
      <PageHeader
        title="Home"
        description={first ? 'Your first evaluation takes three steps, all on this machine and without a network.' : undefined}
        actions={
          first ? (
            <LookAroundButton />
          ) : !runs.data ? null : (
            <Button component={Link} to="/quotes/new">
              New run
            </Button>
          )
        }
      />
      <QueryView query={runs} failure="Couldn’t load recent runs" loading={<LinesSkeleton lines={8} />}>
        {recent =>
          recent.length === 0 ? (
            <>
              <FirstSteps />
              <FinishedResult />
              <Attention runs={recent} />
            </>
          ) : (
            <div className="stack" style={{ gap: 24 }}>
              <RunningWork />
              <Attention runs={recent} />
              <RecentRuns runs={recent} />
            </div>
          )
        }
      </QueryView>
    </Page>
  )
}
