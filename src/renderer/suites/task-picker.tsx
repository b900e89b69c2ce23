import { Button, Select } from '@mantine/core'
import { useCallback, useMemo, useState } from 'react'
import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import type { TextMatch } from '../../lib/text-query.ts'
import { showHidden } from '../../lib/format/visible-text.ts'
import { useBenchmarks, useTasks } from '../catalog/catalog.queries.ts'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { notifyFailed } from '../ui/page/notify.ts'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { tickColumn } from '../ui/table/tick-column.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { keyOf, type Selection, withoutTask, withTasks } from './selection.ts'
import { everyTask } from './suites.queries.ts'

interface TaskPickerProps {
  readonly selection: Selection
  readonly onChange: (selection: Selection) => void
}

/** One source at a time; a row is chosen and left out by click, Enter or Space. */
export function TaskPicker({ selection, onChange }: TaskPickerProps) {
  const { get, set } = useAddress()
  const benchmarks = useBenchmarks('')
  const sources = useMemo(
    () =>
      (benchmarks.data ?? []).flatMap(({ title, latest_version: latest, quote_availability: availability }) =>
        latest && (availability.status === 'ready_for_quote' || availability.status === 'runner_unavailable')
          ? [{ value: latest.source_ref, label: showHidden(title) }]
          : [],
      ),
    [benchmarks.data],
  )
  const source = sources.find(one => one.value === get('source'))?.value ?? sources[0]?.value
  if (benchmarks.isError && !benchmarks.data) {
    return <ErrorState error={benchmarks.error} title="Couldn’t load the catalog" onRetry={() => void benchmarks.refetch()} />
  }
  return (
    <>
      <Select
        label="Source"
        maw={480}
        searchable
        data={sources}
        value={source ?? null}
        onChange={value => value && set({ source: value, q: null })}
      />
      {source === undefined ? null : <SourceTasks key={source} source={source} selection={selection} onChange={onChange} />}
    </>
  )
}

const facts: readonly Column<TaskMetadata>[] = [
  { id: 'task', title: 'Task', width: 140, rowHeader: true, cell: task => <UntrustedText text={task.task_id} layout="inline" /> },
  { id: 'preview', title: 'Begins with', width: 260, grow: true, cell: task => <UntrustedText text={task.preview} layout="inline" /> },
  {
    id: 'capabilities',
    title: 'Capabilities',
    width: 180,
    cell: task => <UntrustedText text={task.capabilities.join(', ')} layout="prose" />,
  },
]

function SourceTasks({ source, selection, onChange }: TaskPickerProps & { readonly source: string }) {
  const { get } = useAddress()
  const q = get('q')
  const match = oneOf(get('match'), ['exact'])
  const query = useTasks(source, q, match)
  const rows = useMemo(() => query.data?.pages.flatMap(page => page.items) ?? [], [query.data])
  const toggle = useCallback(
    (task: TaskMetadata) => onChange(selection.has(keyOf(task)) ? withoutTask(selection, task) : withTasks(selection, [task], rows)),
    [onChange, selection, rows],
  )
  const columns = useMemo(
    (): readonly Column<TaskMetadata>[] => [
      tickColumn({
        label: task => `Choose ${showHidden(task.task_id)}`,
        isTicked: task => selection.has(keyOf(task)),
        onTick: toggle,
      }),
      ...facts,
    ],
    [selection, toggle],
  )
  if (query.isError && !query.data) {
    return <ErrorState error={query.error} title="Couldn’t load the tasks" onRetry={() => void query.refetch()} />
  }
  const total = query.data?.pages[0]?.total ?? 0
  return (
    <div className="suites-tasks">
      <DataTable<TaskMetadata>
        id="suite-tasks"
        label="Tasks to choose from"
        columns={columns}
        rows={rows}
        rowId={task => task.task_id}
        loading={query.isPending}
        onOpen={toggle}
        onMark={toggle}
        more={query}
        toolbar={
          <>
            <SearchFilter label="Search tasks" exact="match" />
            <span className="quiet small">Click a row, or press Space, to choose a task</span>
            <AddAll source={source} q={q} match={match} total={total} selection={selection} onChange={onChange} />
          </>
        }
        empty={<EmptyState title="No matching tasks" />}
      />
    </div>
  )
}

interface AddAllProps extends TaskPickerProps {
  readonly source: string
  readonly q: string
  readonly match: TextMatch | undefined
  readonly total: number
}

function AddAll({ source, q, match, total, selection, onChange }: AddAllProps) {
  const [busy, setBusy] = useState(false)
  const add = async (): Promise<void> => {
    setBusy(true)
    try {
      // Dependencies may not hold the words that were searched for.
      const [wanted, all] =
        q === '' ? [null, await everyTask(source, '')] : await Promise.all([everyTask(source, q, match), everyTask(source, '')])
      onChange(withTasks(selection, wanted ?? all, all))
    } catch (error) {
      notifyFailed('The tasks were not added', error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={busy} disabled={total === 0} onClick={() => void add()}>
      Add all {formatCount(total)}
      {q === '' ? '' : ' found'}
    </Button>
  )
}
