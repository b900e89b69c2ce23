import type { Suite } from '../../contract/suites/suites.schemas.ts'
import { bodyDigest } from '../http/idempotency.ts'
import type { SelectedTasks } from './resolve-selections.ts'

/** What a suite says of its tasks: where they come from, what they ask for, and the digest that names exactly them. */
export function describeTasks(
  selected: readonly SelectedTasks[],
): Pick<Suite, 'tasks' | 'sources' | 'capabilities' | 'digest' | 'task_selections'> {
  const counts = new Map<string, number>()
  for (const { tasks } of selected) {
    for (const task of tasks) for (const capability of task.capabilities) counts.set(capability, (counts.get(capability) ?? 0) + 1)
  }
  const selections = selected.map(({ selection }) => selection)
  return {
    tasks: selected.reduce((sum, { tasks }) => sum + tasks.length, 0),
    sources: selected.map(({ source, selection, tasks }) => ({
      source_ref: source.sourceRef,
      slug: source.slug,
      title: source.title,
      split: selection.split,
      tasks: tasks.length,
    })),
    capabilities: [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([capability, tasks]) => ({ capability, tasks })),
    digest: bodyDigest(selections),
    task_selections: selections,
  }
}
