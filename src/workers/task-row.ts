import { inputOf, previewOf } from '../engine/content/benchmarks/task-preview.ts'
import type { Task } from '../engine/tasks/task.ts'
import { shapeOf } from '../engine/tasks/task-shape.ts'
import { encodeTask } from '../storage/task-content.ts'

/** A task as its table stores it, serialized off the service's loop. */
export interface TaskRow {
  readonly taskId: string
  readonly split: Task['split']
  readonly preview: string
  readonly inputCharacters: number
  readonly choices: number | null
  readonly capabilities: string
  readonly dependsOn: string
  readonly facets: string
  readonly shape: string | null
  readonly content: Uint8Array
}

/** @param facetsOf metadata by which results are broken down */
export function toTaskRow(task: Task, facetsOf: readonly string[]): TaskRow {
  const shape = shapeOf(task)
  return {
    taskId: task.id,
    split: task.split,
    preview: previewOf(task),
    inputCharacters: inputOf(task).length,
    choices: task.choices?.length ?? null,
    capabilities: JSON.stringify(task.capabilities),
    dependsOn: JSON.stringify(task.dependsOn),
    facets: JSON.stringify(facets(task, facetsOf)),
    shape: shape && JSON.stringify(shape),
    content: encodeTask(task),
  }
}

function facets(task: Task, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap(name => {
      const value = task.metadata[name]
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, String(value)]] : []
    }),
  )
}
