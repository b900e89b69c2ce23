import { wilsonBounds } from '../../../statistics/proportions.ts'
import { checkResult, type CheckResult, percent } from '../package-task.ts'
import { slack, z99 } from './chance.ts'

/** A strategy that needs no model, by the scores that a profile's own primary metric gives it. */
export interface TrivialScore {
  readonly profile: string
  /** Of the profile. */
  readonly chance: number
  readonly strategy: 'random' | 'first' | 'majority' | 'empty' | 'echo'
  readonly right: number
  readonly scored: number
}

/**
 * Whether an answer that needs no model scores, in any profile: the lower one-sided 99 % Wilson bound of random, first and majority must
 * not pass chance by more than 0.10, that of empty and echo must not pass 0.05 (the Agentic Benchmark Checklist found agents that do
 * nothing passing 38 %). Nothing can beat a chance of 0.90 by that much, so such a profile fails whatever it declares.
 */
export function checkTrivialAnswers(scores: readonly TrivialScore[]): CheckResult {
  const judged = scores
    .filter(({ scored }) => scored > 0)
    .map(score => {
      const { strategy, right, scored, chance } = score
      const share = right / scored
      const limit = strategy === 'empty' || strategy === 'echo' ? 0.05 : chance + slack
      return { ...score, share, bound: Math.max(0, wilsonBounds(share, scored, z99)[0]), limit }
    })
  const figures = Object.fromEntries(figuresOf(scores, judged))
  const saturated = scores.find(({ chance }) => chance + slack >= 1)
  if (saturated)
    return checkResult(
      'trivial_answers',
      'fail',
      `Chance is ${percent(saturated.chance)} in profile "${saturated.profile}", which leaves nothing to measure. Balance the answers.`,
      figures,
    )
  const failing = judged.filter(({ bound, limit }) => bound > limit)
  if (failing.length === 0) return checkResult('trivial_answers', 'pass', 'No trivial answer does better than chance.', figures)
  const several = new Set(scores.map(({ profile }) => profile)).size > 1
  const found = failing.map(
    ({ profile, strategy, share, chance }) =>
      `${strategyNames[strategy]} scores ${percent(share)}${several ? ` in profile "${profile}"` : ''}, where chance is ${percent(chance)}`,
  )
  return checkResult(
    'trivial_answers',
    'fail',
    `${found.slice(0, 5).join('; ')}. A model must not be able to score without solving the task.`,
    figures,
  )
}

/** Of each strategy its best share in any profile, and that share's bound. */
function figuresOf(
  scores: readonly TrivialScore[],
  judged: readonly (Pick<TrivialScore, 'strategy'> & { readonly share: number; readonly bound: number })[],
): [string, number][] {
  const profiles = new Set(scores.map(({ profile }) => profile)).size
  const best = Object.keys(strategyNames).flatMap(strategy => {
    const [top] = judged.filter(one => one.strategy === strategy).sort((a, b) => b.share - a.share)
    return top ? ([[strategy, top.share], [`${strategy}_bound`, top.bound]] satisfies [string, number][]) : [] // biome-ignore format: pairs
  })
  return [
    ['chance', Math.max(0, ...scores.map(({ chance }) => chance))],
    ...best,
    ...(profiles > 1 ? [['profiles', profiles] satisfies [string, number]] : []),
  ]
}

const strategyNames: Readonly<Record<TrivialScore['strategy'], string>> = {
  random: 'A random choice',
  first: 'Always the first choice',
  majority: 'Always the commonest answer',
  empty: 'An empty answer',
  echo: 'Repeating the question',
}
