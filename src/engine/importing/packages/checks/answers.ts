import { chiSquaredSf } from '../../../statistics/distributions/chi-squared.ts'
import { wilsonBounds } from '../../../statistics/proportions.ts'
import { checkResult, type CheckResult, type PackageTask, percent } from '../package-task.ts'

/** 99 % quantile of the standard normal distribution: one-sided bounds of these checks. */
const z99 = 2.3263478740408408

/** How much a trivial answer may beat chance before the benchmark says nothing. */
const slack = 0.1

/**
 * Whether the position of the right choice gives it away: a chi-squared test against the positions that each task offers (warns at
 * p < 0.001), and the best constant position, whose lower one-sided 99 % Wilson bound must not pass chance by more than 0.10.
 */
export function checkAnswerPosition(tasks: readonly PackageTask[]): CheckResult {
  const asked = tasks.filter(task => task.choices !== null && task.correct?.length === 1)
  if (asked.length === 0) return checkResult('answer_position', 'not_applicable', 'No task has choices with exactly one right answer.')
  const positions = Math.max(...asked.map(task => task.choices?.length ?? 0))
  const seen = Array.from({ length: positions }, () => 0)
  const expected = Array.from({ length: positions }, () => 0)
  for (const { choices, correct } of asked) {
    const n = choices?.length ?? 0
    for (let i = 0; i < n; i++) expected[i] = (expected[i] ?? 0) + 1 / n
    const at = correct?.[0] ?? 0
    seen[at] = (seen[at] ?? 0) + 1
  }
  const statistic = seen.reduce((sum, count, i) => sum + (expected[i] ? (count - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1) : 0), 0)
  const p = chiSquaredSf(statistic, Math.max(1, positions - 1))
  const best = seen.indexOf(Math.max(...seen))
  const share = (seen[best] ?? 0) / asked.length
  const chance = chanceOfChoices(asked)
  const lower = wilsonBounds(share, asked.length, z99)[0]
  const figures = { tasks: asked.length, position: best + 1, share, bound: lower, chance, chi_squared: statistic, p }
  const ids = asked.filter(({ correct }) => correct?.[0] === best).map(({ id }) => id)
  if (lower > chance + slack)
    return checkResult(
      'answer_position',
      'fail',
      `Always choosing position ${best + 1} is right in ${seen[best]} of ${asked.length} tasks (${percent(share)}; chance is ${percent(chance)}). Shuffle the choices.`,
      figures,
      ids,
    )
  if (p < 0.001)
    return checkResult(
      'answer_position',
      'warn',
      `The right answer is not spread evenly over the positions (p = ${p.toExponential(1)}). Shuffle the choices.`,
      figures,
      ids,
    )
  return checkResult('answer_position', 'pass', 'The position of the right answer gives nothing away.', figures)
}

/** Expected share of right answers when guessing blindly among the choices, 0 to 1. */
export function chanceOfChoices(tasks: readonly PackageTask[]): number {
  const shares = tasks.map(({ choices, correct }) => (choices?.length ? (correct?.length ?? 0) / choices.length : 0))
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Chance on the primary metric: of choices 1/k; of open answers with few distinct targets the share of the commonest. */
export function computedChance(tasks: readonly PackageTask[]): number {
  const withChoices = tasks.filter(({ choices }) => choices !== null)
  if (withChoices.length > 0) return chanceOfChoices(withChoices)
  const targets = targetCounts(tasks)
  const distinct = targets.size
  // A closed set of answers: every one of them occurs often enough that guessing among them is a strategy.
  return distinct >= 2 && distinct <= 20 && tasks.length >= 10 * distinct ? 1 / distinct : 0
}

function targetCounts(tasks: readonly PackageTask[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { targets } of tasks) {
    const [target] = targets
    if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return counts
}

/** A strategy that needs no model, by the scores that the package's own primary metric gives it. */
export interface TrivialScore {
  readonly strategy: 'random' | 'first' | 'majority' | 'empty' | 'echo'
  readonly right: number
  readonly scored: number
}

/**
 * Whether an answer that needs no model scores: the lower one-sided 99 % Wilson bound of random, first and majority must not pass chance
 * by more than 0.10, that of empty and echo must not pass 0.05 (the Agentic Benchmark Checklist found agents that do nothing passing 38 %).
 */
export function checkTrivialAnswers(scores: readonly TrivialScore[], chance: number): CheckResult {
  const judged = scores
    .filter(({ scored }) => scored > 0)
    .map(({ strategy, right, scored }) => {
      const share = right / scored
      const limit = strategy === 'empty' || strategy === 'echo' ? 0.05 : chance + slack
      return { strategy, share, bound: wilsonBounds(share, scored, z99)[0], limit }
    })
  const figures = Object.fromEntries([
    ['chance', chance],
    ...judged.flatMap(
      ({ strategy, share, bound }) =>
        [
          [strategy, share],
          [`${strategy}_bound`, bound],
        ] as const,
    ),
  ])
  const failing = judged.filter(({ bound, limit }) => bound > limit)
  if (failing.length === 0) return checkResult('trivial_answers', 'pass', 'No trivial answer does better than chance.', figures)
  const said = failing.map(({ strategy, share }) => `${strategyNames[strategy]} scores ${percent(share)}`)
  return checkResult(
    'trivial_answers',
    'fail',
    `${said.join('; ')}; chance is ${percent(chance)}. A model must not be able to score without solving the task.`,
    figures,
  )
}

const strategyNames: Readonly<Record<TrivialScore['strategy'], string>> = {
  random: 'A random choice',
  first: 'Always the first choice',
  majority: 'Always the commonest answer',
  empty: 'An empty answer',
  echo: 'Repeating the question',
}
