import { invalidField } from '../../contract/errors.ts'
import { WorkLimitError } from '../../workers/bounded-pool.ts'
import type { WorldDefinition } from '../../contract/worlds/worlds.schemas.ts'
import type { Workers } from '../../workers/pool.ts'
import type { ScorerProblem } from '../../workers/score-pool.ts'
import type { WorldProblem } from '../../workers/world-pool.ts'

export type CheckedDefinition = Pick<WorldDefinition, 'tools' | 'tasks' | 'policies'>

/** @throws ApiError validation_error where the work was too much */
export async function within<T>(path: (string | number)[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof WorkLimitError) throw invalidField(['body', ...path], `is too much to be played: ${error.message}`)
    throw error
  }
}

/** The first part of a world that cannot be used: a schema, a pattern or a scorer; null where there is none. @throws WorkLimitError */
export async function worldFault(
  { tools, tasks, policies }: CheckedDefinition,
  workers: Pick<Workers, 'checkScorer' | 'worlds'>,
  signal: AbortSignal,
): Promise<WorldProblem | null> {
  const problem = await workers.worlds.problemOf({ tools, tasks, ...(policies && { policies }) }, signal)
  if (problem) return problem
  const scorers = new Map<string, ScorerProblem | null>()
  for (const [i, { expected }] of tasks.entries()) {
    const places = (expected.turns ?? []).map(({ answer }, j) => ({ answer, place: ['turns', j, 'answer'] }))
    for (const { answer, place } of [{ answer: expected.answer, place: ['answer'] }, ...places]) {
      if (!answer) continue
      const { scorer, options } = answer
      const key = JSON.stringify([scorer, options])
      if (!scorers.has(key)) scorers.set(key, await workers.checkScorer({ scorer, options }, signal))
      const wrong = scorers.get(key)
      if (wrong) return { path: ['tasks', i, 'expected', ...place], message: wrong.message }
    }
  }
  return null
}
