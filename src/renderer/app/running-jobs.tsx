import { Button, Popover, Progress } from '@mantine/core'
import { IconLoader } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Run } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatDuration } from '../../lib/format/time.ts'
import { pauseStatuses } from '../ui/values/statuses.ts'
import { useRunningJobs } from './running-jobs.queries.ts'

/** What is being worked on, from every page. Not shown while nothing is. */
export function RunningJobs() {
  const jobs = useRunningJobs().data ?? []
  if (jobs.length === 0) return null
  return (
    <Popover width={340} position="bottom-end" shadow="md">
      <Popover.Target>
        <Button variant="default" leftSection={<IconLoader size={16} aria-hidden />}>
          {jobs.length} running
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack">
          {jobs.map(run => (
            <Job key={run.id} run={run} />
          ))}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function Job({ run }: { readonly run: Run }) {
  const { completed, frozen, seconds_left } = run.progress
  return (
    <Link to={`/runs/${run.id}`} style={{ color: 'inherit', textDecoration: 'none' }}>
      <div>{run.name}</div>
      <Progress value={frozen ? (100 * completed) / frozen : 0} size="sm" aria-label={`Progress of ${run.name}`} />
      <div className="quiet small num">
        {formatCount(completed)} of {formatCount(frozen)}
        {run.pause === null ? '' : `, ${pauseStatuses[run.pause.code].word.toLowerCase()}`}
        {seconds_left === null || run.pause !== null ? '' : `, ${formatDuration(seconds_left * 1000)} left`}
      </div>
    </Link>
  )
}
