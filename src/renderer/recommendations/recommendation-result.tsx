import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { Recommendation, RecommendedTask } from '../../contract/recommendations/recommendations.schemas.ts'
import { formatCount, formatNumber } from '../../lib/format/numbers.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { useAddressSort } from '../ui/table/use-address.ts'
import { Money } from '../ui/values/figures.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { Picked } from '../suites/picked.tsx'
import { RecommendationGaps } from './recommendation-gaps.tsx'
import { keyOf, type Selection, withoutTask, withTasks } from '../suites/selection.ts'

interface RecommendationResultProps {
  readonly answer: Recommendation
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** What was found and why; a row is chosen and left out by click or Enter, as in a benchmark. */
export function RecommendationResult({ answer, selection, onChange }: RecommendationResultProps) {
  const [sort, setSort] = useAddressSort()
  const rows = useMemo(() => answer.sources.flatMap(one => one.tasks), [answer])
  const columns = useMemo(() => columnsFor(answer, selection), [answer, selection])
  const missing = rows.filter(task => !selection.has(keyOf(task))).length
  return (
    <section aria-label="Recommendation" className="stack" style={{ gap: 12 }}>
      {rows.length === 0 ? (
        <EmptyState title="No task fits">{answer.warnings.map(warning => warning.message).join(' ')}</EmptyState>
      ) : (
        <>
          <div className="row" style={{ justifyContent: 'space-between' }}>
            <p style={{ margin: 0 }}>
              <strong className="num">
                {formatCount(rows.length)} {rows.length === 1 ? 'task' : 'tasks'}
              </strong>{' '}
              from {answer.sources.map(one => `${one.title} (${formatCount(one.tasks.length)})`).join(', ')}. A pass of these models, by
              what it cost so far: <Money microUsd={answer.historical_cost_microusd} within />.
            </p>
            <Button disabled={missing === 0} onClick={() => onChange(withTasks(selection, rows, rows))}>
              {missing === 0 ? 'All chosen' : `Add all ${formatCount(missing)}`}
            </Button>
          </div>
          <ul className="quiet small suites-notes">
            {answer.warnings.map(warning => (
              <li key={warning.code}>
                <UntrustedText text={warning.message} layout="prose" />
              </li>
            ))}
          </ul>
          <div className="recommendation-tasks">
            <DataTable<RecommendedTask>
              id="recommended-tasks"
              label="Recommended tasks"
              columns={columns}
              rows={rows}
              rowId={keyOf}
              sort={sort}
              onSort={setSort}
              sortedBy="browser"
              onOpen={task => onChange(selection.has(keyOf(task)) ? withoutTask(selection, task) : withTasks(selection, [task], rows))}
              empty={<EmptyState title="No tasks" />}
            />
          </div>
        </>
      )}
      <RecommendationGaps answer={answer} />
    </section>
  )
}

function columnsFor(answer: Recommendation, selection: Selection): readonly Column<RecommendedTask>[] {
  const titles = new Map(answer.sources.map(one => [one.source_ref, one.title]))
  return [
    { id: 'chosen', title: 'Chosen', width: 80, cell: task => (selection.has(keyOf(task)) ? <Picked /> : null) },
    {
      id: 'task',
      title: 'Begins with',
      width: 200,
      grow: true,
      rowHeader: true,
      cell: task => <UntrustedText text={task.preview || task.task_id} layout="inline" />,
    },
    { id: 'reason', title: 'Why', width: 220, grow: true, cell: task => <UntrustedText text={task.reason} layout="inline" /> },
    {
      id: 'source',
      title: 'Source',
      width: 130,
      sortValue: task => titles.get(task.source_ref) ?? task.source_ref,
      cell: task => <UntrustedText text={titles.get(task.source_ref) ?? task.source_ref} layout="prose" />,
    },
    {
      id: 'fit',
      title: 'Fit',
      width: 60,
      align: 'end',
      sortValue: task => task.relevance,
      cell: task => <span className="num">{formatNumber(task.relevance, 2)}</span>,
    },
    {
      id: 'separates',
      title: 'Separates',
      width: 90,
      align: 'end',
      sortValue: task => task.separation,
      cell: task =>
        task.separation === null ? (
          <span className="quiet" title="Fewer than two models have a result on it">
            –
          </span>
        ) : (
          <span className="num">{formatNumber(task.separation, 2)}</span>
        ),
    },
  ]
}
