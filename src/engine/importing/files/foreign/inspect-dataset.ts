import type { MediaIntake } from '../../media/media-intake.ts'
import type { TaskContent } from '../import-source.ts'
import { textsField } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'
import { foreignTask, promptInput, targetTexts, taskId } from './foreign-task.ts'

/** A dataset of Inspect while it is read. */
export interface InspectDataset {
  readonly content: TaskContent
  /** Whether questions have several right choices, all of which count, once the rows were read. */
  hasSeveralRight(): boolean
  /** What of the samples is not imported, once they were read. */
  noted(): string[]
}

const known = new Set(['input', 'target', 'choices', 'id', 'sandbox', 'files', 'setup'])

/**
 * A sample a row with `input` and perhaps `target` and `choices`, as JSON Lines, a JSON list or CSV. A target of choices is a letter, or
 * several. Samples without a target have no reference answer.
 */
export function inspectDataset(intake: MediaIntake): InspectDataset {
  let first: { readonly line: number; readonly hasChoices: boolean } | null = null
  let several = false
  const left = new Set<string>()
  /** Ids of numbers and of texts apart: `1` and `"1"` are two samples. */
  const kinds = new Map<string, string>()
  const idOf = (row: Row): string => {
    const id = taskId(row, 'id')
    const kind = typeof row.value['id']
    const earlier = kinds.get(id) ?? kind
    kinds.set(id, earlier)
    return earlier === kind ? id : `${id} (${kind === 'number' ? 'number' : 'text'})`
  }
  return {
    hasSeveralRight: () => several,
    noted: () => (left.size === 0 ? [] : [`Fields of the samples that were not imported: ${[...left].slice(0, 20).join(', ')}.`]),
    content: {
      format: { kind: 'any', upstream: { kind: 'jsonl' } },
      holds: 'tasks',
      read: row => {
        refuseWorlds(row)
        const choices = isGiven(row, 'choices') ? textsField(row, 'choices') : null
        const given = isGiven(row, 'target') ? targetTexts(row, 'target') : []
        const letters = choices ? lettersIn(given, choices.length) : null
        const targets = letters ? (letters.length > 0 ? [letters.join(',')] : []) : given
        const task = foreignTask({ id: idOf(row), input: promptInput(row, 'input', intake), targets, choices })
        first ??= { line: row.line, hasChoices: choices !== null }
        if (first.hasChoices !== (choices !== null))
          throw new RowError(
            `The sample has ${choices ? 'choices' : 'no "choices"'}, unlike the one on line ${first.line}. One prompt and one scorer can't fit both: import questions with and without choices as two files.`,
          )
        several ||= letters !== null && letters.length > 1
        for (const name of Object.keys(row.value)) if (!known.has(name)) left.add(name)
        return task
      },
    },
  }
}

/** CSV has no null, and `target` is an empty text where there is none. */
function isGiven({ value }: Row, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null && value[name] !== ''
}

/** Without its sandbox or files a sample would be another task. */
function refuseWorlds(row: Row): void {
  const needed = ['sandbox', 'files', 'setup'].find(name => isGiven(row, name))
  if (needed) throw new RowError(`The sample needs "${needed}", which an import of questions cannot provide.`)
}

/** The letters of the right choices, given one by one or as "A,C". @throws RowError for what is not a letter of a choice */
function lettersIn(targets: readonly string[], choices: number): string[] {
  const last = String.fromCharCode(64 + Math.min(26, choices))
  const letters = targets.flatMap(target =>
    /^[A-Z](?:[, ]{0,2}[A-Z])*$/.test(target) ? [...target].filter(char => /[A-Z]/.test(char)) : [''],
  )
  if (letters.some(letter => letter === '' || letter > last))
    throw new RowError(
      `The target "${targets.join(', ').slice(0, 60)}" must be the letter of a choice, A to ${last}, or several such as "A,C".`,
    )
  return [...new Set(letters)].sort()
}
