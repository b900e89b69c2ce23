import type { EvaluationListItem } from '../../contract/evaluations/evaluations.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { OutcomeBar } from '../runs/outcome-bar.tsx'
import { spentOf } from '../runs/spent.ts'
import type { Column } from '../ui/table/column.ts'
import { NameLink } from '../ui/table/name-link.tsx'
import { Money, RelativeTime } from '../ui/values/figures.tsx'
import { StatusBadge } from '../ui/values/status-badge.tsx'
import { runStatuses } from '../ui/values/statuses.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'

export const evaluationColumns: readonly Column<EvaluationListItem>[] = [
  {
    id: 'name',
    title: 'Evaluation',
    width: 200,
    grow: true,
    rowHeader: true,
    sortValue: one => one.name,
    cell: one => <NameLink to={`/suites/evaluations/${one.id}`} name={one.name} />,
  },
  {
    id: 'status',
    title: 'Status',
    width: 100,
    sortValue: one => runStatuses[one.status].word,
    cell: one => <StatusBadge status={runStatuses[one.status]} title={one.stop_reason?.message} />,
  },
  {
    id: 'progress',
    title: 'Progress',
    width: 120,
    cell: one => <OutcomeBar progress={one.progress} label={`Samples of ${showHidden(one.name)}`} bare />,
  },
  {
    id: 'tasks',
    title: 'Tasks',
    width: 72,
    align: 'end',
    sortValue: taskCount,
    cell: one => formatCount(taskCount(one)),
  },
  {
    id: 'model',
    title: 'Model',
    width: 150,
    sortValue: one => one.model.title,
    cell: one => <UntrustedText text={one.model.title} layout="name" />,
  },
  {
    id: 'sources',
    title: 'Benchmarks',
    width: 200,
    cell: one => <UntrustedText text={one.sources.map(source => source.title).join(', ')} layout="prose" />,
  },
  {
    id: 'spent',
    title: 'Spent',
    width: 72,
    align: 'end',
    sortValue: one => Number(spentOf(one) ?? 0),
    cell: one => <Money microUsd={spentOf(one)} />,
  },
  {
    id: 'created',
    title: 'Started',
    width: 112,
    sortValue: one => Date.parse(one.created_at),
    cell: one => <RelativeTime at={one.created_at} />,
  },
]

function taskCount({ sources }: EvaluationListItem): number {
  return sources.reduce((sum, source) => sum + source.tasks, 0)
}
