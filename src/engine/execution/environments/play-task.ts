import type { CallOutcome, ModelRequest } from '../../clients/model-client.ts'
import type { Task } from '../../tasks/task.ts'
import { agentFor } from './agents/agent.ts'
import type { PlayableFamily, PlayPlace } from './environment.ts'
import type { EnvironmentSetting } from '../../tasks/definition.ts'
import { type CallModel, playEpisode } from './episode.ts'
import { playableFamily } from './families/families.ts'

/** Who plays: a model behind a call, or one of the baselines. */
export type Player =
  | { readonly kind: 'model'; readonly call: CallModel }
  | { readonly kind: 'baseline'; readonly routeId: string; readonly seed: number; readonly epoch: number }

/**
 * Plays one task of an environment from its first message to its end.
 * @param request what a single question would be asked with: its messages begin the conversation, its settings hold for every turn
 * @throws Error for a family that this version does not have; a profile of it is never offered
 */
export function playTask(
  setting: EnvironmentSetting,
  task: Task,
  request: ModelRequest,
  player: Player,
  place: PlayPlace,
): Promise<CallOutcome> {
  const family = playableFamily(setting)
  if (!family) throw new Error(`This version has no environment "${setting.family}".`)
  const plan = {
    family: setting.family,
    protocol: setting.protocol,
    tools: family.tools,
    maxTurns: setting.maxTurns,
    observationBytes: family.observationBytes,
    maxTokens: family.maxTokens,
    maxMs: family.maxMs,
    request,
  }
  return playEpisode(plan, family.start(task, place), callOf(family, task, player))
}

function callOf(family: PlayableFamily, task: Task, player: Player): CallModel {
  return player.kind === 'model' ? player.call : agentFor({ ...player, family, task })
}
