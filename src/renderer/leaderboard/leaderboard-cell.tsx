import { Anchor, Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import type { LeaderboardEntry } from '../../contract/index.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatScore } from '../../lib/format/percent.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'

interface LeaderboardCellProps {
  readonly entry: LeaderboardEntry | undefined
  /** Coverage of most scores in the column. */
  readonly usual: string
}

/** A score with its interval and n; it opens the run. */
export function LeaderboardCell({ entry, usual }: LeaderboardCellProps) {
  if (!entry) return <span className="quiet">not run</span>
  const { estimate, tasks, tasks_available: available, unscored } = entry
  return (
    <div className="num">
      <Tooltip label={`${entry.run_name}: ${entry.metric}`}>
        <Anchor component={Link} to={`/runs/${entry.run_id}`} inherit>
          {formatScore(estimate)}
        </Anchor>
      </Tooltip>
      <div className="quiet small">
        n = {formatCount(estimate.n)}, {tasks === available ? 'every task' : `of ${formatCount(available)}`}
        {unscored > 0 ? `, ${formatCount(unscored)} unscored` : ''}
      </div>
      {entry.coverage === usual ? null : <StatusBadge status={{ word: 'Other tasks', tone: 'warn' }} />}
    </div>
  )
}
