import { type ComparedTask, type Comparison, taskChanges } from '../../../contract/comparisons/comparisons.schemas.ts'
import { sampleStates } from '../../../contract/runs/run.machine.ts'
import type { AlignedTasks } from './aligned-tasks.ts'

/** What may be shown of a task without giving it away. */
export type TaskText = Pick<ComparedTask, 'task_id' | 'preview' | 'capabilities'>

/** One aligned task as the interface and the exports show it. @param sampleIdAt the id of a run's sample by its place */
export function toComparedTask(
  { runs, profiles }: Comparison,
  tasks: AlignedTasks,
  position: number,
  text: TaskText,
  sampleIdAt: (runId: string, position: number) => string,
): ComparedTask {
  const profile = profiles[tasks.profile[position] ?? 0]
  return {
    position,
    source_ref: profile?.source_ref ?? '',
    profile_id: profile?.profile_id ?? '',
    metric: profile?.metric ?? '',
    ...text,
    outcomes: runs.map((run, no) => {
      const value = tasks.values[no]?.[position] ?? Number.NaN
      const place = tasks.positions[no]?.[position] ?? -1
      return {
        run_id: run.id,
        status: sampleStates[tasks.statuses[no]?.[position] ?? -1] ?? null,
        value: Number.isNaN(value) ? null : value,
        sample_id: place < 0 ? null : sampleIdAt(run.run_id, place),
      }
    }),
    changes: runs
      .filter(run => !run.baseline)
      .map((run, no) => ({ contender_id: run.id, change: taskChanges[tasks.changes[no]?.[position] ?? -1] ?? 'not_compared' })),
  }
}
