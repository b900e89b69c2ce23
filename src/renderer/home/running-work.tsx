import { Anchor, Progress } from '@mantine/core'
import { Link } from 'react-router'
import { formatCount } from '../../lib/format/numbers.ts'
import { MoreRuns } from '../app/more-runs.tsx'
import { useRunningJobs } from '../app/running-jobs.queries.ts'
import { formatTimeLeft } from '../runs/time-left.ts'
import { presentStatus } from '../runs/follow-up.ts'
import { Section } from '../ui/page/page-header.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'

export function RunningWork() {
  const { runs = [], cut = [] } = useRunningJobs().data ?? {}
  if (runs.length === 0) return null
  return (
    <Section title="Running now">
      <ul className="home-list">
        {runs.map(({ id, name, progress, ...run }) => (
          <li key={id}>
            <div className="home-list-main">
              <Anchor component={Link} to={`/runs/${id}`} inherit>
                {name}
              </Anchor>
              <Progress
                value={progress.frozen ? (100 * progress.completed) / progress.frozen : 0}
                size="sm"
                mt={4}
                aria-label={`Progress of ${name}`}
              />
              <div className="quiet small num">
                {formatCount(progress.completed)} of {formatCount(progress.frozen)}
                {progress.samples_per_second === null ? '' : `, ${progress.samples_per_second.toFixed(1)} per second`}
                {progress.seconds_left === null ? '' : `, ${formatTimeLeft(progress.seconds_left)} left`}
              </div>
            </div>
            <StatusBadge status={presentStatus(run)} title={run.pause?.message} />
          </li>
        ))}
      </ul>
      <MoreRuns cut={cut} />
    </Section>
  )
}
