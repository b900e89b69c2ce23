import type { Task } from '../../engine/tasks/task.ts'

type LoadTasks = (numbers: readonly number[]) => readonly Task[]

/** Repetitions of a task are adjacent, so the last few hundred are enough. */
const keptTasks = 256

/** Keeps tasks that were read lately: unpacking one costs as much as storing its answer. */
export function keepTasks(load: LoadTasks): LoadTasks {
  const kept = new Map<number, Task>()
  return numbers => {
    const missing = [...new Set(numbers)].filter(no => !kept.has(no))
    for (const [i, task] of load(missing).entries()) {
      const no = missing[i]
      if (no !== undefined) kept.set(no, task)
    }
    const tasks = numbers.flatMap(no => kept.get(no) ?? [])
    for (const no of kept.keys()) {
      if (kept.size <= keptTasks) break
      kept.delete(no)
    }
    return tasks
  }
}
