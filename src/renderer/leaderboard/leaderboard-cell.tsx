import { Anchor, Tooltip } from '@mantine/core'
import { Link } from 'react-router'
import type { LeaderboardEntry } from '../../contract/runs/leaderboard.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { formatScore } from '../../lib/format/percent.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { basisMark, type Field } from './standings.ts'

interface LeaderboardCellProps {
  readonly entry: LeaderboardEntry | undefined
  readonly field: Field
}

/** A score with its interval and n; it opens the run. */
export function LeaderboardCell({ entry, field: { usual, withEnds } }: LeaderboardCellProps) {
  if (!entry) return <span className="quiet">not run</span>
  const { estimate, tasks, tasks_available: available, unscored, not_run: notRun } = entry
  const mark = basisMark(entry.basis, usual)
  return (
    <div className="num">
      <Tooltip label={`${entry.run_name}: ${entry.metric}`}>
        <Anchor component={Link} to={`/runs/${entry.run_id}`} inherit>
          {formatScore(estimate, withEnds)}
        </Anchor>
      </Tooltip>
      <div className="quiet small leaderboard-n">
        n = {formatCount(estimate.n)}, {tasks === available && notRun === 0 ? 'every task' : `of ${formatCount(available)}`}
        {unscored > notRun ? `, ${formatCount(unscored - notRun)} unscored` : ''}
        {notRun > 0 ? `, ${formatCount(notRun)} not run` : ''}
      </div>
      {entry.changed ? <div className="quiet small">changed: {entry.changed.join(', ')}</div> : null}
      {mark === null ? null : <StatusBadge status={{ word: mark, tone: 'warn' }} />}
    </div>
  )
}
