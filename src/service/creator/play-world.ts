import type { TryWorld } from '../../contract/worlds/play.schemas.ts'
import type { WorldDefinition, WorldTask } from '../../contract/worlds/worlds.schemas.ts'
import { hasFunctions, playedReference } from '../../engine/execution/environments/worlds/world-family.ts'
import { missingSandbox } from '../../engine/grading/sandbox/open-sandbox.ts'
import { checkResult, type CheckResult } from '../../engine/importing/packages/package-task.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import type { AnswerKind } from '../../workers/packages-task.ts'
import type { Workers } from '../../workers/pool.ts'
import { worldFault } from '../worlds/index.ts'
import type { ScoredAnswer } from './score-answers.ts'

export type WorldWorkers = Pick<Workers, 'worlds' | 'sandbox' | 'checkScorer'>

/** Whether the world of a package can be played: its schemas, patterns and scorers. */
export async function checkWorld(
  workers: WorldWorkers,
  world: WorldDefinition,
  still: CheckResult,
  signal: AbortSignal,
): Promise<CheckResult> {
  const fault = await within(() => worldFault(world, workers, signal))
  if (fault === null) return still
  const detail = typeof fault === 'string' ? fault : `${fault.path.join('.')} ${fault.message}.`
  return checkResult('tasks', 'fail', `The world cannot be played: ${detail}`, still.figures)
}

/** Plays tasks by moves that need no model, and grades where they end. Tasks that have no such moves are left out. */
export async function playWorld(
  workers: WorldWorkers,
  { tasks, ...definition }: WorldDefinition,
  answer: AnswerKind,
  signal: AbortSignal,
): Promise<(ScoredAnswer & { readonly explanation: string })[]> {
  const missing = hasFunctions(definition) ? missingSandbox(await workers.sandbox(), ['javascript']) : null
  if (missing !== null) throw new Error(missing)
  const found: (ScoredAnswer & { readonly explanation: string })[] = []
  for (const task of tasks) {
    const moves = movesOf(task, answer)
    if (!moves) continue
    const played = await within(() => workers.worlds.play({ definition, task, epoch: 1, moves }, signal))
    const { value, explanation } =
      typeof played === 'string'
        ? { value: null, explanation: played }
        : (played.verdict ?? { value: null, explanation: 'It did not end.' })
    found.push({ task: task.id, value, text: JSON.stringify(played), explanation })
    signal.throwIfAborted()
  }
  return found
}

/** Null where a task has none: only its reference solves it, and a world has no choices to guess at. */
function movesOf({ messages, user, reference }: WorldTask, answer: AnswerKind): TryWorld['moves'] | null {
  if (answer === 'reference') return reference ? playedReference({ user }, reference) : null
  if (answer !== 'empty' && answer !== 'echo') return null
  const asked = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  return playedReference({ user }, { calls: [], answer: answer === 'echo' ? asked : '' })
}

/** What went wrong, as text, where it was too much to be played. */
async function within<T>(work: () => Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WorkLimitError) return error.message
    throw error
  }
}
