import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { defineScorer } from '../define-scorer.ts'
import { judged, unscored } from '../verdict.ts'

const Episode = z.object({ state: z.record(z.string(), z.unknown()), ended: z.string(), turns: z.int(), answer: z.string().nullable() })
const Goal = z.record(z.string(), z.unknown())

/** Grades an episode of an environment by how its world stood at the end. */
export const environmentGoal = defineScorer({
  id: 'assay/environment_goal',
  version: 1,
  title: 'Goal reached',
  description: 'For episodes of an environment: correct when the final state matches the task’s goal exactly, wrong otherwise.',
  options: z.strictObject({}),
  prepare:
    () =>
    ({ output, metadata }) => {
      const goal = Goal.safeParse(metadata?.['goal'])
      if (!goal.success) return unscored('The task has no goal to compare with.')
      const episode = episodeIn(output)
      if (!episode) return unscored('The output is no episode of an environment.')
      const { state, ended, turns, answer } = episode
      const differing = Object.keys(goal.data).find(key => !isDeepStrictEqual(state[key], goal.data[key]))
      const course = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ended by ${endings[ended] ?? ended}`
      if (differing === undefined) return judged(true, { answer, explanation: `Goal state reached (${course}).` })
      const found = shown(state[differing])
      const wanted = shown(goal.data[differing])
      return judged(false, { answer, explanation: `“${differing}” is ${found} and should be ${wanted} (${course}).` })
    },
})

const endings: Readonly<Record<string, string>> = {
  answered: 'the model’s answer',
  over: 'the task itself',
  turn_limit: 'the limit of turns',
}

/** A value as JSON, cut after 160 characters. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not there'
  return text.length > 160 ? `${text.slice(0, 160).toWellFormed()}…` : text
}

function episodeIn(output: string): z.infer<typeof Episode> | null {
  try {
    return Episode.safeParse(JSON.parse(output)).data ?? null
  } catch {
    return null
  }
}
