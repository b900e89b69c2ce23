import type { MediaIntake } from '../../media/media-intake.ts'
import type { TaskContent } from '../import-source.ts'
import { textsField } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'
import { foreignTask, promptInput, targetTexts, taskId } from './foreign-task.ts'

/** A dataset of Inspect: a sample a line with `input`, `target` and perhaps `choices`. A target of a choice is its letter. */
export function inspectDataset(intake: MediaIntake): TaskContent {
  let first: { readonly line: number; readonly hasChoices: boolean } | null = null
  return {
    format: { kind: 'jsonl' },
    holds: 'tasks',
    read: row => {
      refuseWorlds(row)
      const choices = Object.hasOwn(row.value, 'choices') && row.value['choices'] !== null ? textsField(row, 'choices') : null
      const targets = targetTexts(row, 'target')
      if (choices) requireLetter(targets, choices.length)
      const task = foreignTask({ id: taskId(row, 'id'), input: promptInput(row, 'input', intake), targets, choices })
      first ??= { line: row.line, hasChoices: choices !== null }
      if (first.hasChoices !== (choices !== null))
        throw new RowError(
          `The sample has ${choices ? 'choices' : 'no "choices"'}, unlike the one on line ${first.line}. One prompt and one scorer can't fit both: import questions with and without choices as two files.`,
        )
      return task
    },
  }
}

/** Without its sandbox or files a sample would be another task. */
function refuseWorlds({ value }: Row): void {
  const needed = ['sandbox', 'files', 'setup'].find(name => Object.hasOwn(value, name) && value[name] !== null)
  if (needed) throw new RowError(`The sample needs "${needed}", which an import of questions cannot provide.`)
}

function requireLetter(targets: readonly string[], choices: number): void {
  const [target = ''] = targets
  const last = String.fromCharCode(64 + Math.min(26, choices))
  if (targets.length > 1) throw new RowError(`A sample with several right choices cannot be imported; it has ${targets.length}.`)
  if (!/^[A-Z]$/.test(target) || target > last)
    throw new RowError(`The target "${target.slice(0, 60)}" must be the letter of a choice, A to ${last}.`)
}
