import { oraclePercent } from '../../baselines/baseline-routes.ts'
import { type Draw, drawFor } from '../../baselines/draw.ts'
import type { ToolDefinition } from '../../../clients/model-client.ts'
import type { Task } from '../../../tasks/task.ts'
import type { PlayableFamily } from '../environment.ts'
import type { CallModel } from '../episode.ts'
import { scriptedAnswer } from '../scripted-answer.ts'

export interface AgentSettings {
  readonly routeId: string
  readonly family: PlayableFamily
  readonly task: Task
  readonly seed: number
  readonly epoch: number
}

/**
 * A baseline that plays an environment by the text protocol: an oracle follows the task's reference (or, when its chance fails, acts
 * blindly), `assay/random` uses random tools with values from the task, `assay/first-option` always the first of each, and
 * every other baseline answers at once without doing anything. The same settings play the same way everywhere.
 */
export function agentFor(settings: AgentSettings): CallModel {
  const moves = movesOf(settings)
  let turn = 0
  return () => {
    const move = moves(turn++)
    return Promise.resolve(scriptedAnswer(JSON.stringify(move)))
  }
}

type Move = { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> } | { readonly answer: string }

function movesOf({ routeId, family, task, seed, epoch }: AgentSettings): (turn: number) => Move {
  const percent = oraclePercent(routeId)
  if (percent !== null && drawFor(seed, task.id, epoch).chance < percent / 100) {
    const { actions, answer } = family.reference(task) ?? { actions: [], answer: '' }
    return turn => actions[turn] ?? { answer }
  }
  const candidates = family.candidates(task)
  if (routeId === 'assay/first-option') return turn => (turn === 0 ? useOf(family.tools[0], candidates, null) : { answer: '' })
  if (percent !== null || routeId === 'assay/random') {
    return turn => {
      const draw = drawFor(seed, `${task.id}:${turn}`, epoch)
      // One turn of many answers, so that blind acting comes to an end.
      if (draw.chance < 1 / family.maxTurns) return { answer: guess(candidates['sql'] ?? [], draw) }
      return useOf(family.tools[draw.pick(family.tools.length)], candidates, draw)
    }
  }
  return () => ({ answer: '' })
}

function guess(queries: readonly unknown[], draw: Draw): string {
  const query = queries[draw.pick(queries.length)]
  return typeof query === 'string' ? query : 'done'
}

/** @param draw null for the first of everything */
function useOf(tool: ToolDefinition | undefined, candidates: Readonly<Record<string, readonly unknown[]>>, draw: Draw | null): Move {
  if (!tool) return { answer: '' }
  const given = tool.parameters.map(({ name, values }, i) => {
    const possible = values ?? candidates[name] ?? ['']
    return [name, possible[draw ? (draw.pick(possible.length) + i) % possible.length : 0]]
  })
  return { tool: tool.name, arguments: Object.fromEntries(given) }
}
