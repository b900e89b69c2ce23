import { checkResult, type CheckResult } from '../package-task.ts'

/** What one profile's scorers made of a right answer. */
export interface ReferenceScore {
  readonly task: string
  readonly profile: string
  /** Of the primary metric. */
  readonly value: number | null
  /** Whether every scoring of it came out the same. */
  readonly steady: boolean
}

/**
 * Whether right answers score 1: targets given as answers, and reference solutions, three times in every profile. Tasks with neither warn.
 * @param tasks of the splits that profiles ask
 */
export function checkReference(scores: readonly ReferenceScore[], tasks: readonly string[]): CheckResult {
  if (scores.length === 0)
    return checkResult(
      'reference',
      'warn',
      'No task has a target or a reference solution, so nothing shows that the tasks can be solved.',
      {
        tasks: 0,
      },
    )
  const solved = new Set(scores.map(({ task }) => task))
  const wrong = scores.filter(({ value }) => value !== 1)
  const differing = scores.filter(({ steady }) => !steady)
  const ids = (some: readonly ReferenceScore[]) => [...new Set(some.map(({ task }) => task))]
  const profiles = new Set(scores.map(({ profile }) => profile)).size
  const figures = {
    tasks: solved.size,
    right: solved.size - ids(wrong).length,
    differing: ids(differing).length,
    times: 3,
    ...(profiles > 1 ? { profiles } : {}),
  }
  const inProfile = (some: readonly ReferenceScore[]) => (profiles > 1 ? ` in profile "${some[0]?.profile}"` : '')
  if (wrong.length > 0)
    return checkResult(
      'reference',
      'fail',
      `The reference answer of ${ids(wrong).length} of ${solved.size} tasks does not score 1${inProfile(wrong)}. Correct the reference, the target or the scorer.`,
      figures,
      ids(wrong),
    )
  if (differing.length > 0)
    return checkResult(
      'reference',
      'fail',
      `The reference answers of ${ids(differing).length} tasks score differently from time to time${inProfile(differing)}.`,
      figures,
      ids(differing),
    )
  const unsolved = tasks.filter(task => !solved.has(task))
  if (unsolved.length > 0)
    return checkResult(
      'reference',
      'warn',
      `${unsolved.length} of ${tasks.length} tasks have neither a target nor a reference solution, so nothing shows that they can be solved.`,
      figures,
      unsolved,
    )
  return checkResult('reference', 'pass', `The reference answers of all ${solved.size} tasks score 1, three times.`, figures)
}
