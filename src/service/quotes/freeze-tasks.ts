import { createHash } from 'node:crypto'

export interface FrozenTask {
  readonly no: number
  readonly taskId: string
}

/**
 * The first `count` tasks in the order of SHA-256 of `seed:task_id`, compared as hexadecimal text: the same on every platform, and
 * a smaller sample is the beginning of a larger one.
 */
export function sampleTasks(tasks: readonly FrozenTask[], count: number, seed: number): FrozenTask[] {
  return tasks
    .map(task => ({ task, rank: createHash('sha256').update(`${seed}:${task.taskId}`).digest('hex') }))
    .sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0))
    .slice(0, count)
    .map(({ task }) => task)
}

/** SHA-256 over the frozen list, a line `profile_id<TAB>task_id` each, in order. */
export function taskDigest(profiles: readonly { readonly profileId: string; readonly tasks: readonly FrozenTask[] }[]): string {
  const hash = createHash('sha256')
  for (const { profileId, tasks } of profiles) for (const { taskId } of tasks) hash.update(`${profileId}\t${taskId}\n`)
  return hash.digest('hex')
}
