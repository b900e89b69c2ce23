import { formatCount } from './numbers.ts'
import { formatPercent } from './percent.ts'

interface Unscored {
  readonly unscored: number
  readonly not_run?: number | undefined
  readonly worst_case: number | null
}

/** The samples that a score leaves out, and what it would be if all of them were wrong: `384 without a score (worst case 73.2 %)`. */
export function withoutScore({ unscored, not_run: notRun = 0, worst_case: worst }: Unscored): string[] {
  const parts = [
    ...(unscored > notRun ? [`${formatCount(unscored - notRun)} without a score`] : []),
    ...(notRun > 0 ? [`${formatCount(notRun)} not run`] : []),
  ]
  return parts.map((part, i) => (i === parts.length - 1 && worst !== null ? `${part} (worst case ${formatPercent(worst)})` : part))
}
