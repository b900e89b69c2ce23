import type { TaskMetadata } from '../../contract/catalog/tasks.schemas.ts'
import type { NewSuite } from '../../contract/suites/suites.schemas.ts'

/** Chosen tasks by source, split and id, in the order chosen. */
export type Selection = ReadonlyMap<string, TaskMetadata>

export interface CapabilityCount {
  readonly capability: string
  readonly tasks: number
}

export interface ChosenSource {
  readonly sourceRef: string
  readonly tasks: number
}

export function keyOf({ source_ref: source, split, task_id: id }: Pick<TaskMetadata, 'source_ref' | 'split' | 'task_id'>): string {
  return JSON.stringify([source, split, id])
}

/**
 * With these tasks and every one that they depend on.
 *
 * @param known Tasks of the same sources, in which dependencies are looked for; one that is not among them is refused by the service.
 */
export function withTasks(selection: Selection, added: readonly TaskMetadata[], known: readonly TaskMetadata[]): Selection {
  const byKey = new Map(known.map(task => [keyOf(task), task]))
  const next = new Map(selection)
  const open = [...added]
  for (let task = open.shift(); task; task = open.shift()) {
    const key = keyOf(task)
    if (next.has(key)) continue
    next.set(key, task)
    for (const id of task.depends_on) {
      const needed = byKey.get(keyOf({ ...task, task_id: id }))
      if (needed) open.push(needed)
    }
  }
  return next
}

/** Without this task and every one that depends on it. */
export function withoutTask(selection: Selection, removed: TaskMetadata): Selection {
  const next = new Map(selection)
  const open = [removed]
  for (let task = open.shift(); task; task = open.shift()) {
    const { source_ref: source, task_id: id } = task
    next.delete(keyOf(task))
    open.push(...[...next.values()].filter(other => other.source_ref === source && other.depends_on.includes(id)))
  }
  return next
}

export function withoutSource(selection: Selection, sourceRef: string): Selection {
  return new Map([...selection].filter(([, task]) => task.source_ref !== sourceRef))
}

export function sourcesOf(selection: Selection): readonly ChosenSource[] {
  return [...Map.groupBy(selection.values(), task => task.source_ref)].map(([sourceRef, tasks]) => ({ sourceRef, tasks: tasks.length }))
}

/** Most frequent first; a task can have several. */
export function capabilitiesOf(selection: Selection): readonly CapabilityCount[] {
  const counts = new Map<string, number>()
  for (const task of selection.values()) for (const one of task.capabilities) counts.set(one, (counts.get(one) ?? 0) + 1)
  return [...counts]
    .map(([capability, tasks]) => ({ capability, tasks }))
    .toSorted((a, b) => b.tasks - a.tasks || (a.capability < b.capability ? -1 : 1))
}

/** One selection for each source and split. */
export function selectionsOf(selection: Selection): NewSuite['task_selections'] {
  const groups = Map.groupBy(selection.values(), task => JSON.stringify([task.source_ref, task.split]))
  return [...groups.values()].flatMap(tasks => {
    const [first] = tasks
    return first ? [{ source_ref: first.source_ref, split: first.split, task_ids: tasks.map(task => task.task_id) }] : []
  })
}
