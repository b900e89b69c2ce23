import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PackageCheck } from '../../contract/creator/packages.schemas.ts'
import { QueryView } from '../ui/states/query-view.tsx'
import { UntrustedText } from '../ui/values/untrusted-text.tsx'
import { concernedTasksQuery } from './creator.queries.ts'
import { TaskSample } from './task-sample.tsx'

/** The service lists the first 20. */
const shownTasks = 20

/** The tasks concerned by a check, with their content and where they stand in the package; loaded when they are opened. */
export function ConcernedTasks({
  packageId,
  check,
  reviewId,
  ids,
}: {
  readonly packageId: string
  readonly check: PackageCheck
  readonly reviewId: string
  readonly ids: readonly string[]
}) {
  const [opened, setOpened] = useState(false)
  const query = useQuery({ ...concernedTasksQuery(packageId, check, reviewId), enabled: opened })
  return (
    <details onToggle={event => setOpened(event.currentTarget.open)}>
      <Summary count={ids.length} />
      {opened ? (
        <QueryView query={query} failure="Couldn’t load the tasks">
          {({ items }) => <TaskSample items={items} />}
        </QueryView>
      ) : null}
    </details>
  )
}

/** The ids alone, where nothing of the package is stored. */
export function TaskIds({ ids }: { readonly ids: readonly string[] }) {
  return (
    <details>
      <Summary count={ids.length} />
      <ul className="concerned-tasks">
        {ids.map(id => (
          <li key={id} className="mono">
            <UntrustedText text={id} layout="inline" />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Summary({ count }: { readonly count: number }) {
  return (
    <summary className="small">
      {count === shownTasks ? `First ${shownTasks} tasks` : `${count} ${count === 1 ? 'task' : 'tasks'}`} with this finding
    </summary>
  )
}
