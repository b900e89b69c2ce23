import { z } from 'zod'
import { openingOf, type WorldDefinition, type WorldTask, type WorldTool } from '../../../../contract/worlds/worlds.schemas.ts'
import type { ToolDefinition } from '../../../clients/model-client.ts'
import type { PlayedWorld } from '../../../tasks/definition.ts'
import type { Task } from '../../../tasks/task.ts'
import type { PlayableFamily, PlayPlace } from '../environment.ts'
import { longestUserReply } from './simulated-user.ts'
import { WorldSimulation } from './world-simulation.ts'

/** What a task of a world keeps in its metadata; it was checked when the world was made. */
const Stored = z.object({ world: z.custom<StoredWorldTask>(value => typeof value === 'object' && value !== null) })
export type StoredWorldTask = Pick<WorldTask, 'messages' | 'user' | 'initial_state' | 'expected' | 'reference' | 'attack' | 'now'> &
  Pick<WorldDefinition, 'policies'>

export function worldTaskOf({ metadata }: Pick<Task, 'metadata'>): StoredWorldTask {
  return Stored.parse(metadata).world
}

/** What of its world a task keeps. */
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

type Reference = NonNullable<StoredWorldTask['reference']>

/** The calls of a reference, with null for each answer after which the user begins the next turn. */
export function referenceMoves({ calls }: Pick<Reference, 'calls'>): (Reference['calls'][number] | null)[] {
  const last = Math.max(1, ...calls.map(({ turn = 1 }) => turn))
  return Array.from({ length: last }, (_, i) => [...(i > 0 ? [null] : []), ...calls.filter(({ turn = 1 }) => turn === i + 1)]).flat()
}

/** User message of a task: its own conversation where it has one. */
export const worldPrompt = '{instruction}'

/** A world as a family that the engine plays. */
export function worldFamily(slug: string, world: PlayedWorld): PlayableFamily {
  const known = families.get(world)
  if (known) return known
  const { limits } = world
  const family: PlayableFamily = {
    slug,
    tools: world.tools.map(toolDefinition),
    maxTurns: limits.turns,
    observationBytes: limits.observation_bytes,
    maxTokens: limits.tokens ?? null,
    maxMs: limits.seconds === undefined ? null : limits.seconds * 1_000,
    start: (task, place) => new WorldSimulation(world, worldTaskOf(task), { ...place, taskId: task.id }),
    candidates: () => ({}),
    reference: task => {
      const { reference } = worldTaskOf(task)
      return reference
        ? {
            actions: referenceMoves(reference).map(call => call && { tool: call.name, arguments: call.arguments }),
            answer: reference.answer,
          }
        : null
    },
    replyBytes: task => longestReply(worldTaskOf(task)),
  }
  families.set(world, family)
  return family
}

/** Made once for each profile of a run. */
const families = new WeakMap<PlayedWorld, PlayableFamily>()

/** Whether a world has tools that run in the sandbox. */
export function hasFunctions({ tools }: Pick<PlayedWorld, 'tools'>): boolean {
  return tools.some(({ behavior }) => behavior.kind === 'function')
}

export interface WorldPlace extends PlayPlace {
  readonly taskId: string
}

function longestReply({ user }: StoredWorldTask): number {
  if (user.kind === 'model') return longestUserReply
  return user.kind === 'scripted' ? Math.max(...user.turns.map(turn => Buffer.byteLength(turn))) : 0
}

function toolDefinition({ name, description, parameters }: WorldTool): ToolDefinition {
  return { name, description, parameters: [], schema: parameters }
}
