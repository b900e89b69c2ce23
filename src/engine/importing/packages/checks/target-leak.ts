import { checkResult, type CheckResult, outcomeOfShare, type PackageTask, percent } from '../package-task.ts'
import { evenedInput } from './duplicates.ts'

/** Shorter targets occur in a prompt by chance. */
const shortestTarget = 8

/**
 * Tasks whose target occurs in the model's input. A target counts from 8 characters on, when it is no number and none of the
 * listed choices; extractive benchmarks, whose answers are meant to be in the prompt, are left out. Warns above 0, fails above 2 %.
 * @param fixed the text that every prompt shares: system prompt, template, worked examples, text assets
 */
export function checkTargetLeak(tasks: readonly PackageTask[], fixed: string, extractive: boolean): CheckResult {
  if (extractive) return checkResult('target_leak', 'not_applicable', 'The manifest says that answers are taken from the prompt.')
  const shared = evenedInput(fixed).toLowerCase()
  const leaking: string[] = []
  let checked = 0
  for (const task of tasks) {
    const targets = task.targets.map(target => evenedInput(target).toLowerCase()).filter(target => counts(target, task))
    if (targets.length === 0) continue
    checked++
    const input = evenedInput(task.input).toLowerCase()
    if (targets.some(target => input.includes(target) || shared.includes(target))) leaking.push(task.id)
  }
  const share = tasks.length === 0 ? 0 : leaking.length / tasks.length
  const outcome = outcomeOfShare(share, { warn: 0, fail: 0.02 })
  const detail =
    leaking.length === 0
      ? `No target occurs in its prompt (${checked} of ${tasks.length} tasks have a target long enough to tell).`
      : `The target of ${leaking.length} of ${tasks.length} tasks (${percent(share)}) occurs in the prompt. Remove it, or set "extractive" if answers are meant to be found there.`
  return checkResult('target_leak', outcome, detail, { tasks: tasks.length, checked, leaking: leaking.length, share }, leaking)
}

function counts(target: string, { choices }: PackageTask): boolean {
  if (target.length < shortestTarget || /^[-+]?[\d.,\s%$€£]+$/u.test(target)) return false
  return !(choices ?? []).some(choice => evenedInput(choice).toLowerCase() === target)
}
