import { z } from 'zod'
import type { WorldExpectation } from '../../../contract/worlds/worlds.schemas.ts'
import { defineScorer } from '../scorers/define-scorer.ts'
import type { PreparedScorer, Score, ScoreInput, Scorer } from '../scorers/scorer.ts'
import { graded, unscored, worldError } from '../scorers/verdict.ts'
import { checkCalls, type Failed, forbiddenCall, madeCalls } from './check-calls.ts'
import { shown } from './json-values.ts'
import { brokenPolicies, policyFields } from './check-policies.ts'
import { type PlayedEpisode, playedEpisode } from './played-episode.ts'
import { stateChanges, touches } from './state-changes.ts'

export const worldScorerId = 'assay/world'

type PrepareScorer = (spec: { readonly scorer: string; readonly options: unknown }) => PreparedScorer

/** What a task of a world keeps for its grading. It was checked when the world was made. */
const Graded = z.object({
  expected: z.custom<WorldExpectation>(value => typeof value === 'object' && value !== null),
  ...policyFields,
})

/** Grades episodes of worlds by what their task expects. @param prepare makes the scorers of answers */
export function createWorldScorer(prepare: PrepareScorer): Scorer {
  return defineScorer({
    id: worldScorerId,
    version: 1,
    title: 'Expectations met',
    description:
      'For episodes of a world: correct when the final state, the tool calls and the answer are as the task expects and no policy rule was broken; the explanation names each expectation that failed and its turn. With weights, the share that held.',
    options: z.strictObject({}),
    prepare:
      () =>
      ({ output, metadata }) => {
        const task = Graded.safeParse(metadata?.['world'])
        if (!task.success) return unscored('The task has no expectations to compare with.')
        const episode = playedEpisode(output)
        if (!episode) return unscored('The output is no episode of a world.')
        const { expected, policies, initial_state: state } = task.data
        return grade(episode, expected, brokenPolicies(policies, episode, state), prepare)
      },
  })
}

function grade(episode: PlayedEpisode, expected: WorldExpectation, broken: readonly Failed[], prepare: PrepareScorer): Score {
  const made = madeCalls(episode)
  const { answer, turns } = episode
  const rounds = userTurns(episode)
  if (episode.world_error !== null) {
    // What the model has done already, no later turn takes back.
    const forbidden =
      forbiddenCall(expected.calls, made) ??
      expected.turns?.map(({ turn, calls }) => forbiddenCall(calls, madeCalls({ steps: rounds[turn - 1] ?? [] }))).find(found => found) ??
      null
    const done = [...(forbidden ? [forbidden] : []), ...broken]
    if (done.length > 0)
      return graded(0, { answer, explanation: describe(done, episode), values: { ...(forbidden && { calls: 0 }), ...kept(broken) } })
    return worldError(`The world failed at turn ${turns}, so there is no verdict: ${episode.world_error}`, answer)
  }
  const failed: Failed[] = []
  const parts = new Map<Part, number>()
  /** A part holds where all that is expected of it does. */
  const add = (part: Part, wrong: readonly Failed[]) => {
    parts.set(part, wrong.length === 0 ? (parts.get(part) ?? 1) : 0)
    failed.push(...wrong)
  }
  if (expected.state !== undefined) add('state', checkState(expected.state, expected.ignored_paths ?? [], episode))
  if (expected.calls) add('calls', checkCalls(expected.calls, made, turns))
  const answers: { readonly wanted: Answer; readonly given: string | null; readonly at: number }[] = []
  for (const { turn, calls, answer: wanted } of expected.turns ?? []) {
    const steps = rounds[turn - 1] ?? []
    const at = steps.at(-1)?.turn ?? turns
    if (calls) add('calls', checkCalls(calls, madeCalls({ steps }), at))
    if (wanted) answers.push({ wanted, given: steps.at(-1)?.answer ?? null, at })
  }
  if (expected.answer) answers.push({ wanted: expected.answer, given: answer, at: turns })
  for (const { wanted, given, at } of answers) {
    const { scorer, options, targets, at_least: least = 1 } = wanted
    const score = gradeAnswer(prepare({ scorer, options }), { output: given ?? '', targets, metadata: {} }, given)
    // A scorer without a verdict leaves the whole without one, unless something else has failed already.
    if (score.value === null && broken.length === 0 && (failed.length === 0 || expected.weights)) return score
    const holds = (score.value ?? 0) >= least
    add('answer', holds ? [] : [{ part: 'answer', turn: at, message: `The answer is not as expected. ${score.explanation}` }])
  }
  // A weighted score is a share of what was to be reached; a broken rule leaves none of it.
  const value = broken.length > 0 ? 0 : expected.weights ? weighted(parts, expected.weights) : failed.length === 0 ? 1 : 0
  return graded(value, {
    answer,
    explanation: describe([...broken, ...failed], episode),
    values: { ...Object.fromEntries(parts), ...kept(broken) },
  })
}

/** Beside the parts that are expected, where a rule was broken. */
const kept = (broken: readonly Failed[]): Readonly<Record<string, number>> => (broken.length > 0 ? { policy: 0 } : {})

/** What an expectation may weigh. */
type Part = Exclude<Failed['part'], 'policy'>
type Answer = NonNullable<WorldExpectation['answer']>

/** The steps from each message of the user to the answer to it. */
function userTurns({ steps }: Pick<PlayedEpisode, 'steps'>): PlayedEpisode['steps'][] {
  const turns: PlayedEpisode['steps'][] = [[]]
  for (const step of steps) {
    turns.at(-1)?.push(step)
    if (step.answer !== undefined) turns.push([])
  }
  return turns
}

/** A task that ended without an answer fails what is expected of one. */
function gradeAnswer(score: PreparedScorer, input: ScoreInput, answer: string | null): Score {
  return answer === null ? graded(0, { answer, explanation: 'The model gave no answer.' }) : score(input)
}

function weighted(parts: ReadonlyMap<Part, number>, weights: NonNullable<WorldExpectation['weights']>): number {
  const all = [...parts].map(([part, value]) => ({ weight: weights[part], value }))
  const sum = all.reduce((total, { weight }) => total + weight, 0)
  // Weights near the largest number overflow their sum; an eighth of each has the same shares.
  if (sum === Number.POSITIVE_INFINITY)
    return weighted(parts, { state: weights.state / 8, calls: weights.calls / 8, answer: weights.answer / 8 })
  return sum === 0 ? 0 : all.reduce((total, { weight, value }) => total + weight * value, 0) / sum
}

function checkState(expected: Readonly<Record<string, unknown>>, ignored: readonly string[], episode: PlayedEpisode): Failed[] {
  return stateChanges(expected, episode.state, ignored).map(({ path, before, after }) => {
    const step = episode.steps.findLast(({ changes }) => changes.some(change => touches(change.path, path)))
    const since = step ? `since turn ${step.turn}` : 'from the start'
    return {
      part: 'state',
      turn: step?.turn ?? episode.turns,
      message: `The state ${path || '/'} is ${shown(after)} ${since}; ${shown(before)} was expected.`,
    }
  })
}

/** Failures that are described; the rest is counted. */
const mostTold = 5

function describe(failed: readonly Failed[], { turns, ended }: PlayedEpisode): string {
  const course = `${turns} ${turns === 1 ? 'turn' : 'turns'}, ended by ${endings[ended] ?? ended}`
  if (failed.length === 0) return `Every expectation holds (${course}).`
  const told = failed.slice(0, mostTold).map(({ turn, message }) => `Turn ${turn}: ${message}`)
  const more = failed.length > mostTold ? [`${failed.length - mostTold} more.`] : []
  return [...told, ...more, `(${course})`].join(' ')
}

const endings: Readonly<Record<string, string>> = {
  answered: 'the model’s answer',
  user_stopped: 'the user',
  turn_limit: 'the turn limit',
  call_limit: 'the limit of tool calls',
  token_limit: 'the token limit',
  time_limit: 'the time limit',
  tool_errors: 'too many tool errors',
  world_error: 'an error of the world',
}
