import { checkResult, type CheckResult, outcomeOfShare, type PackageTask, percent } from '../package-task.ts'
import { evenedInput } from './duplicates.ts'
import { occurring } from './occurring.ts'

/** Shorter targets occur in a prompt by chance. The search looks at the last 8 characters, too. */
const shortestTarget = 8

/**
 * Tasks whose target occurs in the model's input. A target counts from 8 characters on, when it is not a number and none of the
 * listed choices; extractive benchmarks, whose answers are meant to be in the prompt, are left out. Warns above 0, fails above 2 %.
 * @param fixed the texts that every prompt shares: system prompt, template, worked examples, text assets
 */
export function checkTargetLeak(tasks: readonly PackageTask[], fixed: Iterable<string>, extractive: boolean): CheckResult {
  if (extractive) return checkResult('target_leak', 'not_applicable', 'The manifest says that answers are taken from the prompt.')
  const searched = tasks
    .map(task => ({ task, targets: new Set(task.targets.map(folded).filter(target => counts(target, task))) }))
    .filter(({ targets }) => targets.size > 0)
  const shared = occurring(new Set(searched.flatMap(({ targets }) => [...targets])), foldedTexts(fixed), shortestTarget)
  const leaking: string[] = []
  let { isWhole } = shared
  for (const { task, targets } of searched) {
    const own = occurring(targets, [folded(task.input)], shortestTarget)
    isWhole &&= own.isWhole
    if (own.found.size > 0 || [...targets].some(target => shared.found.has(target))) leaking.push(task.id)
  }
  const checked = searched.length
  const share = tasks.length === 0 ? 0 : leaking.length / tasks.length
  const outcome = outcomeOfShare(share, { warn: 0, fail: 0.02 })
  const detail =
    leaking.length === 0
      ? `No target occurs in its prompt (${checked} of ${tasks.length} tasks have a target long enough to tell).`
      : `The target of ${leaking.length} of ${tasks.length} tasks (${percent(share)}) occurs in the prompt. Remove it, or set "extractive" if answers are meant to be found there.`
  const figures = { tasks: tasks.length, checked, leaking: leaking.length, share }
  if (!isWhole && outcome !== 'fail')
    return checkResult(
      'target_leak',
      'warn',
      `${detail} The prompts or assets repeat so much that they were not searched to their end.`,
      figures,
      leaking,
    )
  return checkResult('target_leak', outcome, detail, figures, leaking)
}

function* foldedTexts(texts: Iterable<string>): Generator<string> {
  for (const text of texts) yield folded(text)
}

function folded(text: string): string {
  return evenedInput(text).toLowerCase()
}

function counts(target: string, { choices }: PackageTask): boolean {
  if (target.length < shortestTarget || /^[-+]?[\d.,\s%$€£]+$/u.test(target)) return false
  return !(choices ?? []).some(choice => folded(choice) === target)
}
