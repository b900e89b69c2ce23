import type { TryWorld } from '../../../../contract/worlds/play.schemas.ts'
import type { WorldTool } from '../../../../contract/worlds/worlds.schemas.ts'
import type { ToolDefinition } from '../../../clients/model-client.ts'
import type { PlayedWorld } from '../../../tasks/definition.ts'
import { type StoredWorldTask, worldTaskOf } from '../../../tasks/world-task.ts'
import type { PlayableFamily, PlayPlace } from '../environment.ts'
import { longestUserReply } from './simulated-user.ts'
import { WorldSimulation } from './world-simulation.ts'

type Reference = NonNullable<StoredWorldTask['reference']>

/** The calls of a reference, with null for each answer after which the user begins the next turn. */
export function referenceMoves({ calls }: Pick<Reference, 'calls'>): (Reference['calls'][number] | null)[] {
  const last = Math.max(1, ...calls.map(({ turn = 1 }) => turn))
  return Array.from({ length: last }, (_, i) => [...(i > 0 ? [null] : []), ...calls.filter(({ turn = 1 }) => turn === i + 1)]).flat()
}

/** The moves of a reference to the end of the conversation: its answer is given to each turn that the user scripted. */
export function playedReference({ user }: Pick<StoredWorldTask, 'user'>, reference: Reference): TryWorld['moves'] {
  const { answer } = reference
  const scripted = user.kind === 'scripted' ? user.turns.length : 0
  const calls = referenceMoves(reference).map(call => (call ? { calls: [call] } : { answer }))
  return [...calls, ...Array.from({ length: scripted + 1 }, () => ({ answer }))]
}

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
