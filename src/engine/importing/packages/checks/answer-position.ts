import { chiSquaredSf } from '../../../statistics/distributions/chi-squared.ts'
import { wilsonBounds } from '../../../statistics/proportions.ts'
import { checkResult, type CheckResult, type PackageTask, percent } from '../package-task.ts'
import { chanceOfChoices, slack, z99 } from './chance.ts'

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
