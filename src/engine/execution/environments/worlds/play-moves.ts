import type { TryWorld } from '../../../../contract/worlds/play.schemas.ts'
import { userEnd, type WorldDefinition } from '../../../../contract/worlds/worlds.schemas.ts'
import type { Answer } from '../../../clients/model-client.ts'
import type { CallWorldFunction } from '../../../grading/sandbox/world-functions.ts'
import type { Task } from '../../../tasks/task.ts'
import { worldPrompt } from '../../../tasks/world-task.ts'
import { renderPrompt } from '../../samples/render-prompt.ts'
import { turnsOf } from '../../samples/turns-of.ts'
import { type Episode, playEpisode } from '../episode.ts'
import { scriptedAnswer } from '../scripted-answer.ts'
import type { MatchCall } from './match-call.ts'
import type { AskUser } from './simulated-user.ts'
import { worldFamily } from './world-family.ts'

interface Moves {
  readonly definition: Pick<WorldDefinition, 'instructions' | 'tools' | 'limits' | 'user_model'>
  readonly task: Task
  readonly epoch: number
  readonly moves: TryWorld['moves']
  readonly callFunction: CallWorldFunction
  readonly matchCall: MatchCall
}

export interface PlayedMoves {
  readonly opening: Episode['messages']
  /** As it is after the last move; null before the first. */
  readonly episode: Episode | null
  /** Whether the world or an answer has ended it, and not only the moves did. */
  readonly isOver: boolean
}

/** Plays a task by given moves in place of a model's, over the same loop. */
export async function playMoves({ definition, task, epoch, moves, callFunction, matchCall }: Moves): Promise<PlayedMoves> {
  const { instructions, tools, limits, user_model } = definition
  const family = worldFamily('try', { tools, limits, user_model })
  const recipe = { systemPrompt: instructions ?? null, promptTemplate: worldPrompt, shotTemplate: null, shots: [] }
  const opening = turnsOf(renderPrompt(recipe, task))
  if (moves.length === 0) return { opening, episode: null, isOver: false }
  let turn = 0
  const outcome = await playEpisode(
    {
      family: 'try',
      protocol: 'native',
      tools: family.tools,
      // Where the moves run out, the episode is looked at as it is.
      maxTurns: Math.min(family.maxTurns, moves.length),
      observationBytes: family.observationBytes,
      maxTokens: null,
      maxMs: null,
      request: { messages: opening, temperature: null, maxOutputTokens: limits.max_output_tokens, stop: [] },
    },
    family.start(task, { epoch, callFunction, matchCall, askUser: noUser }),
    () => Promise.resolve(answerOf(moves[turn], turn++)),
  )
  if (!outcome.ok) throw new Error(`Moves make no calls, and one failed: ${outcome.message}`)
  // Only playEpisode wrote it.
  const episode = JSON.parse(outcome.output) as Episode
  return { opening, episode, isOver: episode.ended !== 'turn_limit' || moves.length >= family.maxTurns }
}

/** No model is called: a simulated user leaves after the first answer, and a simulated tool says what it is. */
const noUser: AskUser = (_model, _messages, played) =>
  Promise.resolve({ kind: 'said', text: played === 'user' ? userEnd : 'In a run, a model answers here.' })

function answerOf(move: TryWorld['moves'][number] | undefined, turn: number): Answer {
  const toolCalls =
    move && 'calls' in move
      ? move.calls.map(({ name, arguments: given }, i) => ({ id: `${turn}-${i}`, name, arguments: JSON.stringify(given) }))
      : undefined
  return scriptedAnswer(move && 'answer' in move ? move.answer : '', toolCalls)
}
