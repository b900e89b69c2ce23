import { checkResult, type CheckResult, outcomeOfShare, type PackageTask, percent } from '../package-task.ts'

/** What makes two inputs the same: Unicode form and white space are evened out, and nothing else (punctuation can be the question). */
export function evenedInput(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
}

/** Tasks that repeat the input, files and choices of an earlier one. Warns above 0, fails above 5 % of tasks. */
export function checkExactDuplicates(tasks: readonly PackageTask[]): CheckResult {
  const first = new Map<string, string>()
  const repeated: string[] = []
  for (const task of tasks) {
    const key = JSON.stringify([evenedInput(task.input), task.choices?.map(evenedInput) ?? null, task.setting, task.media])
    if (first.has(key)) repeated.push(task.id)
    else first.set(key, task.id)
  }
  const share = tasks.length === 0 ? 0 : repeated.length / tasks.length
  const figures = { tasks: tasks.length, duplicates: repeated.length, share }
  const outcome = outcomeOfShare(share, { warn: 0, fail: 0.05 })
  const detail =
    outcome === 'pass'
      ? 'No task repeats another.'
      : `${repeated.length} of ${tasks.length} tasks (${percent(share)}) repeat an earlier one. Remove the repeats; at most 5 % are accepted.`
  return checkResult('exact_duplicates', outcome, detail, figures, repeated)
}

/**
 * Tasks whose input another source of the workspace holds too. Warns above 1 %; fails above 20 %, unless the package says what it is
 * derived from.
 * Tasks with files are left out, since many ask the same of different pictures.
 * @param known whether an evened input is in another source
 */
export function checkOverlap(tasks: readonly PackageTask[], known: (evened: string) => boolean, derived: boolean): CheckResult {
  const shared = tasks.filter(task => task.media.length === 0 && known(evenedInput(task.input))).map(({ id }) => id)
  const share = tasks.length === 0 ? 0 : shared.length / tasks.length
  const outcome = outcomeOfShare(share, { warn: 0.01, fail: derived ? 1 : 0.2 })
  const figures = { tasks: tasks.length, shared: shared.length, share, derived }
  const detail =
    shared.length === 0
      ? 'No task is in another source of this workspace.'
      : `${shared.length} of ${tasks.length} tasks (${percent(share)}) are in other sources of this workspace.${outcome === 'fail' ? ' Name the source in "derived_from", or remove them; at most 20 % are accepted.' : ''}`
  return checkResult('overlap', outcome, detail, figures, shared)
}
