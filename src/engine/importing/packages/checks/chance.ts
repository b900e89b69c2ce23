import type { PackageManifest } from '../../../../contract/creator/manifest.schemas.ts'
import type { PackageTask } from '../package-task.ts'

/** 99 % quantile of the standard normal distribution: one-sided bounds of the checks of answers. */
export const z99 = 2.3263478740408408

/** How much a trivial answer may beat chance before the benchmark says nothing. */
export const slack = 0.1

/** How far a stated chance level may be from a computed one, since it is written with few digits. */
const stated = 0.005

/** Expected share of right answers when guessing blindly among the choices, 0 to 1. */
export function chanceOfChoices(tasks: readonly PackageTask[]): number {
  const shares = tasks.map(({ choices, correct }) => (choices?.length ? (correct?.length ?? 0) / choices.length : 0))
  return shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length
}

/** Chance on the primary metric: of choices 1/k; of open answers with few distinct targets 1/n. */
export function computedChance(tasks: readonly PackageTask[]): number {
  const withChoices = tasks.filter(({ choices }) => choices !== null)
  if (withChoices.length > 0) return chanceOfChoices(withChoices)
  const distinct = targetCounts(tasks).length
  // A closed set of answers: every one of them occurs often enough that guessing among them is a strategy.
  return distinct >= 2 && distinct <= 20 && tasks.length >= 10 * distinct ? 1 / distinct : 0
}

/**
 * Chance of a profile on the tasks of its split. Of open answers from a closed set it is the share of the commonest answer, where the
 * profile declares that imbalance and the tasks have it. A stated level that differs from both changes nothing here.
 */
export function profileChance(
  { chance_level: level }: Pick<PackageManifest['profiles'][number], 'chance_level'>,
  tasks: readonly PackageTask[],
): number {
  const chance = computedChance(tasks)
  if (level === undefined || chance === 0 || tasks.some(({ choices }) => choices !== null)) return chance
  const majority = Math.max(...targetCounts(tasks)) / tasks.length
  return agrees(level, majority) ? majority : chance
}

/** Whether a stated chance level is the computed one. */
export function agrees(level: number, chance: number): boolean {
  return Math.abs(level - chance) <= stated
}

/** How many tasks have each distinct first target. */
function targetCounts(tasks: readonly PackageTask[]): number[] {
  const counts = new Map<string, number>()
  for (const { targets } of tasks) {
    const [target] = targets
    if (target !== undefined) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return [...counts.values()]
}
