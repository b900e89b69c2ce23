import type { EnvironmentFamily, PlayPlace } from '../../../../src/engine/execution/environments/environment.ts'
import type { Episode } from '../../../../src/engine/execution/environments/episode.ts'
import { type Player, playTask } from '../../../../src/engine/execution/environments/play-task.ts'
import type { Answer, CallOutcome, ModelRequest } from '../../../../src/engine/clients/model-client.ts'
import { turnsOf } from '../../../../src/engine/execution/samples/turns-of.ts'
import { renderPrompt } from '../../../../src/engine/execution/samples/render-prompt.ts'
import { gradeOne } from '../../../../src/engine/grading/scorers/registry.ts'
import type { Score } from '../../../../src/engine/grading/scorers/scorer.ts'
import type { Task } from '../../../../src/engine/tasks/task.ts'

export interface Played {
  readonly episode: Episode
  readonly outcome: Answer
  readonly score: Score
}

export function requestFor(family: EnvironmentFamily, task: Task, protocol: 'text' | 'native' = 'text'): ModelRequest {
  const profile = family.definition.profiles.find(({ environment }) => environment?.protocol === protocol)
  if (!profile) throw new Error(`${family.definition.slug} has no ${protocol} profile.`)
  return { messages: turnsOf(renderPrompt({ ...profile, shots: [] }, task)), temperature: 0, maxOutputTokens: 256, stop: [] }
}

/** Families that ship with Assay have no functions. */
const noFunctions: PlayPlace = {
  epoch: 1,
  callFunction: () => Promise.reject(new Error('no function was expected')),
  matchCall: () => Promise.reject(new Error('no call of a world was expected')),
  askUser: () => Promise.reject(new Error('no user was expected')),
}

export async function play(
  family: EnvironmentFamily,
  task: Task,
  player: Player,
  protocol: 'text' | 'native' = 'text',
): Promise<CallOutcome> {
  const setting = { family: family.definition.slug, protocol, maxTurns: family.maxTurns }
  return playTask(setting, task, requestFor(family, task, protocol), player, noFunctions)
}

export async function playAs(routeId: string, family: EnvironmentFamily, task: Task): Promise<Played> {
  return graded(await play(family, task, { kind: 'baseline', routeId, seed: 7, epoch: 1 }), task)
}

export function graded(outcome: CallOutcome, task: Task): Played {
  if (!outcome.ok) throw new Error(`The episode failed: ${outcome.message}`)
  // Only playEpisode wrote it.
  const episode = JSON.parse(outcome.output) as Episode
  const score = gradeOne({ scorer: 'assay/environment_goal' }, { output: outcome.output, targets: task.targets, metadata: task.metadata })
  return { episode, outcome, score }
}
