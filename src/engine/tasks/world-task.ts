import { z } from 'zod'
import { openingOf, type WorldDefinition, type WorldTask } from '../../contract/worlds/worlds.schemas.ts'
import type { Task } from './task.ts'

/** What a task of a world keeps in its metadata; it was checked when the world was made. */
const Stored = z.object({ world: z.custom<StoredWorldTask>(value => typeof value === 'object' && value !== null) })
export type StoredWorldTask = Pick<WorldTask, 'messages' | 'user' | 'initial_state' | 'expected' | 'reference' | 'attack' | 'now'> &
  Pick<WorldDefinition, 'policies'>

export function worldTaskOf({ metadata }: Pick<Task, 'metadata'>): StoredWorldTask {
  return Stored.parse(metadata).world
}

/** The part of its world that a task keeps. */
interface PlaceOfTask extends Pick<WorldDefinition, 'policies'> {
  readonly isAttacked?: boolean
}

/** A task of a world as the catalog keeps it: what the user says is its text, everything else is for the world and its grading. */
export function worldTask({ id, ...task }: WorldTask, { policies, isAttacked = false }: PlaceOfTask): Task {
  const world: StoredWorldTask = { ...task, ...(policies && { policies }) }
  const { messages, user } = world
  const instruction = messages.findLast(({ role }) => role === 'user')?.content ?? openingOf(user) ?? ''
  return {
    id,
    split: 'test',
    fields: { instruction },
    ...(messages.length > 1 && { conversations: { instruction: messages } }),
    targets: world.expected.criteria ?? [],
    choices: null,
    metadata: { world, ...(isAttacked && { attack: world.attack?.name ?? 'none' }) },
    capabilities: [],
    dependsOn: [],
  }
}

export function worldTasks({ tasks, ...world }: Pick<WorldDefinition, 'tasks' | 'policies'>): Task[] {
  const isAttacked = tasks.some(({ attack }) => attack)
  return tasks.map(task => worldTask(task, { ...world, isAttacked }))
}

/** User message of a task: its own conversation where it has one. */
export const worldPrompt = '{instruction}'
