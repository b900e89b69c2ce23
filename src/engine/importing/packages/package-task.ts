/** One task of a package, as the checks read it. Everything in it is untrusted text. */
export interface PackageTask {
  readonly id: string
  readonly split: 'test' | 'canonical'
  readonly input: string
  /** Reference answers as text; for choices the text of the right ones. Empty where the package declares no target. */
  readonly targets: readonly string[]
  readonly choices: readonly string[] | null
  /** Positions of the right choices; null for open answers. */
  readonly correct: readonly number[] | null
  /** A solution that must score 1; null where there is none. */
  readonly reference: string | null
  readonly cluster: string | null
  /** What makes tasks with the same words differ: their state and what is expected. Absent where a task is one question. */
  readonly setting?: string
  /** Digests of the files that it shows. */
  readonly media: readonly string[]
  /** Texts of the columns that have no part of their own, such as tests. */
  readonly others: readonly string[]
}

/** What one check found. `figures` are the numbers behind the outcome. */
export interface CheckResult {
  readonly check: string
  readonly outcome: 'pass' | 'warn' | 'fail' | 'not_applicable'
  readonly figures: Readonly<Record<string, number | string | boolean | null>>
  readonly detail: string
  /** The first 20 tasks concerned. */
  readonly taskIds: readonly string[]
}

const shownTasks = 20

export function checkResult(
  check: string,
  outcome: CheckResult['outcome'],
  detail: string,
  figures: CheckResult['figures'] = {},
  taskIds: readonly string[] = [],
): CheckResult {
  return { check, outcome, detail, figures, taskIds: taskIds.slice(0, shownTasks) }
}

/** The outcome of a share against two limits: above `fail` it fails, above `warn` it warns. Shares are of tasks, 0 to 1. */
export function outcomeOfShare(share: number, limits: { readonly warn: number; readonly fail: number }): CheckResult['outcome'] {
  return share > limits.fail ? 'fail' : share > limits.warn ? 'warn' : 'pass'
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}
