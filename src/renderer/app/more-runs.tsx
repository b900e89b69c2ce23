import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { runStatuses } from '../ui/values/statuses.ts'
import type { RunningJobs } from './running-jobs.queries.ts'

/** Ways to the runs under way of which only the newest are listed above it. */
export function MoreRuns({ cut }: Pick<RunningJobs, 'cut'>) {
  return cut.map(status => (
    <Anchor key={status} component={Link} to={`/runs?status=${status}`} fz="xs" display="block">
      All {runStatuses[status].word.toLowerCase()} runs
    </Anchor>
  ))
}
