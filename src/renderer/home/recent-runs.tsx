import '../runs/runs.css'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { isTerminal } from '../../contract/machine.ts'
import { runMachine } from '../../contract/runs/run.machine.ts'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'
import { useRunningJobs } from '../app/running-jobs.queries.ts'
import { presentStatus } from '../runs/follow-up.ts'
import { RunHeadline } from '../runs/run-headline.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

const SHOWN = 8

/** The newest runs, but for those under “Running now”. */
export function RecentRuns({ runs }: { readonly runs: readonly Run[] }) {
  const underWay = useRunningJobs().data?.runs
  const shown = runs
    .filter(run => (underWay ? underWay.every(({ id }) => id !== run.id) : isTerminal(runMachine, run.status)))
    .slice(0, SHOWN)
  if (shown.length === 0) return null
  return (
    <Section
      title="Recent runs"
      aside={
        <Anchor component={Link} to="/runs" fz="xs">
          All runs
        </Anchor>
      }
    >
      <ul className="home-list">
        {shown.map(run => (
          <li key={run.id}>
            <div className="home-list-main">
              <Anchor component={Link} to={`/runs/${run.id}`} inherit>
                {run.name}
              </Anchor>
              <div className="quiet small">
                <Measured run={run} />
              </div>
            </div>
            <div className="small home-list-score">{run.result_version === null ? null : <RunHeadline run={run} />}</div>
            <div className="home-list-status">
              <StatusBadge status={presentStatus(run)} />
            </div>
            <span className="quiet small home-list-time">
              <RelativeTime at={run.created_at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What the run's name does not say by itself. */
function Measured({ run }: { readonly run: Run }) {
  const measured = measuredName(run)
  const parts = [...(run.name.startsWith(measured) ? [] : [measured]), ...(run.model.is_model ? [] : ['not a model'])]
  return <UntrustedText text={parts.join(', ')} layout="prose" />
}
