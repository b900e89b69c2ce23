import type { ComparedTask, Comparison } from '../../contract/comparisons/comparisons.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { scoreText } from '../samples/samples-columns.tsx'
import type { Column } from '../ui/table/column.ts'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { sampleStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { taskChangeWords } from './compare-words.ts'

/** A column for each run, its score on the task; the change is that of the chosen contender. */
export function comparedTaskColumns(comparison: Comparison, contenderId: string): readonly Column<ComparedTask>[] {
  const titles = new Map(comparison.profiles.map(profile => [profile.profile_id, profile.title]))
  return [
    { id: 'position', title: '#', width: 60, align: 'end', cell: task => formatCount(task.position + 1) },
    { id: 'task', title: 'Task', width: 120, rowHeader: true, cell: task => <UntrustedText text={task.task_id} layout="ends" /> },
    {
      id: 'change',
      title: 'Change',
      width: 132,
      cell: task => {
        const change = task.changes.find(one => one.contender_id === contenderId)?.change
        return change === undefined ? null : <StatusBadge status={taskChangeWords[change]} />
      },
    },
    ...comparison.runs.map(
      (run, index): Column<ComparedTask> => ({
        id: `run-${index}`,
        title: run.baseline ? `Baseline: ${showHidden(run.label)}` : showHidden(run.label),
        head: <UntrustedText text={run.baseline ? `Baseline: ${run.label}` : run.label} layout="name" />,
        width: 112,
        align: 'end',
        cell: task => <OutcomeText outcome={task.outcomes[index]} />,
      }),
    ),
    { id: 'preview', title: 'Begins with', width: 240, grow: true, cell: task => <UntrustedText text={task.preview} layout="inline" /> },
    {
      id: 'profile',
      title: 'Profile',
      width: 160,
      hiddenAtFirst: comparison.profiles.length === 1,
      cell: task => <UntrustedText text={titles.get(task.profile_id) ?? task.profile_id} layout="prose" />,
    },
    {
      id: 'capabilities',
      title: 'Capabilities',
      width: 180,
      hiddenAtFirst: true,
      cell: task => <UntrustedText text={task.capabilities.join(', ')} layout="prose" />,
    },
  ]
}

function OutcomeText({ outcome }: { readonly outcome: ComparedTask['outcomes'][number] | undefined }) {
  if (!outcome || outcome.status === null) return <span className="quiet">not run</span>
  if (outcome.value === null) return <span className="quiet">{sampleStatuses[outcome.status].word.toLowerCase()}</span>
  return scoreText(outcome.value)
}
