import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import { formatCount } from '../../lib/format/numbers.ts'
import { SearchFilter } from '../ui/forms/filters.tsx'
import { Section } from '../ui/page/page-header.tsx'
import { EmptyState } from '../ui/states/empty-state.tsx'
import { ErrorState } from '../ui/states/error-state.tsx'
import type { Column } from '../ui/table/column.ts'
import { DataTable } from '../ui/table/data-table.tsx'
import { oneOf, useAddress } from '../ui/table/use-address.ts'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { useTasks } from './catalog.queries.ts'

const columns: readonly Column<TaskMetadata>[] = [
  { id: 'task', title: 'Task', width: 160, rowHeader: true, cell: task => <UntrustedText text={task.task_id} layout="inline" /> },
  { id: 'preview', title: 'Begins with', width: 320, grow: true, cell: task => <UntrustedText text={task.preview} layout="inline" /> },
  { id: 'split', title: 'Split', width: 80, cell: task => task.split },
  { id: 'length', title: 'Characters', width: 90, align: 'end', cell: task => formatCount(task.input_characters) },
  { id: 'choices', title: 'Choices', width: 76, align: 'end', cell: task => (task.choices === null ? 'open' : formatCount(task.choices)) },
  {
    id: 'capabilities',
    title: 'Capabilities',
    width: 180,
    hiddenAtFirst: true,
    cell: task => <UntrustedText text={task.capabilities.join(', ')} layout="prose" />,
  },
]

/** Safe metadata only: the beginning of each task, never its answer or the whole of it. */
export function BenchmarkTasks({ sourceRef }: { readonly sourceRef: string }) {
  const { get } = useAddress()
  const tasks = useTasks(sourceRef, get('task'), oneOf(get('match'), ['exact']))
  const total = tasks.data?.pages[0]?.total
  return (
    <Section
      title="Example tasks"
      aside={<span className="quiet small num">{total === undefined ? '' : `${formatCount(total)} in all`}</span>}
    >
      {tasks.isError ? (
        <ErrorState error={tasks.error} title="Couldn’t load the tasks" onRetry={() => void tasks.refetch()} />
      ) : (
        <div style={{ display: 'flex', height: 360 }}>
          <DataTable
            id="catalog-tasks"
            label="Example tasks"
            columns={columns}
            rows={tasks.data?.pages.flatMap(page => page.items) ?? noTasks}
            rowId={task => task.task_id}
            loading={tasks.isPending}
            more={tasks}
            toolbar={<SearchFilter label="Search tasks" name="task" exact="match" />}
            empty={<EmptyState title="No matching tasks" />}
          />
        </div>
      )}
    </Section>
  )
}

const noTasks: readonly TaskMetadata[] = []
