import { Button, Popover, Progress } from '@mantine/core'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { Run } from '../../contract/runs/runs.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatTimeLeft } from '../runs/time-left.ts'
import { IconHistory, IconLoader } from '../ui/pictures/icons.tsx'
import { pauseStatuses } from '../ui/values/statuses.ts'
import { BackgroundJobs } from './background-jobs.tsx'
import { isUnderWay, useBackgroundJobs } from './background-jobs.queries.ts'
import { MoreRuns } from './more-runs.tsx'
import { useRunningJobs } from './running-jobs.queries.ts'

/** What is being worked on or ended lately, from every page. Not shown while there is nothing of either. */
export function RunningJobs() {
  const { pathname } = useLocation()
  // A link in it leads to another page, which it would cover: it is open on one page.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const opened = openOn === pathname
  const setOpened = (open: boolean): void => setOpenOn(open ? pathname : null)
  const { runs = [], cut = [] } = useRunningJobs().data ?? {}
  const jobs = useBackgroundJobs().data ?? []
  const active = runs.length + jobs.filter(isUnderWay).length
  if (runs.length + jobs.length === 0) return null
  return (
    <Popover width={340} position="bottom-end" shadow="md" opened={opened} onChange={setOpened}>
      <Popover.Target>
        <Button
          className="shell-jobs"
          onClick={() => setOpened(!opened)}
          title="Recent jobs"
          variant="default"
          leftSection={active > 0 ? <IconLoader size={16} aria-hidden /> : <IconHistory size={16} aria-hidden />}
        >
          {active > 0 ? `${active}${cut.length > 0 ? '+' : ''} running` : 'Recent jobs'}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <div className="stack" style={{ maxHeight: '70vh', overflowY: 'auto' }}>
          {runs.map(run => (
            <RunningRun key={run.id} run={run} />
          ))}
          <MoreRuns cut={cut} />
          <BackgroundJobs jobs={jobs} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

function RunningRun({ run }: { readonly run: Run }) {
  const { completed, frozen, seconds_left } = run.progress
  return (
    <Link to={`/runs/${run.id}`} style={{ color: 'inherit', textDecoration: 'none' }}>
      <div>{run.name}</div>
      <Progress value={frozen ? (100 * completed) / frozen : 0} size="sm" aria-label={`Progress of ${run.name}`} />
      <div className="quiet small num">
        {formatCount(completed)} of {formatCount(frozen)}
        {run.pause === null ? '' : `, ${pauseStatuses[run.pause.code].word.toLowerCase()}`}
        {seconds_left === null || run.pause !== null ? '' : `, ${formatTimeLeft(seconds_left)} left`}
      </div>
    </Link>
  )
}
