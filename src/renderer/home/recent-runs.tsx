import '../runs/runs.css'
import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { measuredName } from '../../lib/format/benchmark-names.ts'
import { presentStatus } from '../runs/follow-up.ts'
import { RunHeadline } from '../runs/run-headline.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

export function RecentRuns({ runs }: { readonly runs: readonly Run[] }) {
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
        {runs.map(run => (
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
