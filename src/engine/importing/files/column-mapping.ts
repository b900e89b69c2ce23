import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import type { Task } from '../../tasks/task.ts'
import type { RowFormat, TaskContent } from './import-source.ts'
import { presentField, scalarText, textField, textsField } from './row-fields.ts'
import { type Row, RowError } from './row.ts'

/** Which column of a file holds what. */
export interface Columns {
  readonly input: string
  readonly target: string
  /** Null: open answers. */
  readonly choices: string | null
  /** Null: tasks are numbered. */
  readonly id: string | null
}

/** Names that other tools give to the columns; the first that a file has is taken. */
const usual = {
  input: ['input', 'question', 'prompt', 'query', 'problem'],
  target: ['target', 'answer', 'expected', 'ideal', 'output', 'label', 'solution'],
  choices: ['choices', 'options'],
  id: ['id', 'task_id', 'key'],
} as const

/**
 * Settles the columns: what the user says, and the usual names for the rest.
 * @throws RowError when a named column is not there, or input or target cannot be told
 */
export function settleColumns(names: readonly string[], wanted: { readonly [Part in keyof Columns]?: string | undefined }): Columns {
  const find = (part: keyof Columns): string | null => {
    const name = wanted[part]
    if (name !== undefined && !names.includes(name))
      throw new RowError(`There is no column "${name}" for ${part}; the file has ${listed(names)}.`)
    return name ?? usual[part].find(candidate => names.includes(candidate)) ?? null
  }
  const need = (part: 'input' | 'target'): string => {
    const name = find(part)
    if (name === null)
      throw new RowError(
        `No column is called ${usual[part].join(', ')}; the file has ${listed(names)}. Say in "mapping" which one holds the ${part}.`,
      )
    return name
  }
  return { input: need('input'), target: need('target'), choices: find('choices'), id: find('id') }
}

/** Tasks from files of the user's own, by their columns. The first row of each file settles the columns. */
export function mappedContent(format: RowFormat, wanted: Parameters<typeof settleColumns>[1]): TaskContent {
  let columns: Columns | null = null
  return {
    format,
    holds: 'tasks',
    read: row => {
      if (row.position === 1 || !columns) columns = settleColumns(Object.keys(row.value), wanted)
      return readTask(row, columns)
    },
  }
}

function readTask(row: Row, columns: Columns): Task {
  const choices = columns.choices === null ? null : textsField(row, columns.choices)
  const targets = readTargets(row, columns.target)
  return {
    id: columns.id === null ? `row-${String(row.position).padStart(4, '0')}` : readId(row, columns.id),
    split: 'test',
    fields: { input: textField(row, columns.input) },
    targets: choices ? [letterOf(targets, choices)] : targets,
    choices,
    metadata: choices ? { answer_template: 'ANSWER: {answer}' } : {},
    capabilities: [],
    dependsOn: [],
  }
}

function readId(row: Row, column: string): string {
  const id = scalarText(presentField(row, column), column).trim()
  if (id === '' || id.length > 200 || /\p{Cc}/u.test(id))
    throw new RowError(`The id in "${column}" must be 1 to 200 characters without control characters.`)
  return id
}

function readTargets(row: Row, column: string): string[] {
  const value = presentField(row, column)
  const targets = Array.isArray(value) ? textsField(row, column) : [scalarText(value, column)]
  if (targets.some(target => target.trim() === '')) throw new RowError(`The field "${column}" is empty.`)
  return targets
}

/** The letter of the right choice. A target is the text of a choice, its letter, or its position from 0. */
function letterOf(targets: readonly string[], choices: readonly string[]): string {
  const [target = ''] = targets
  if (targets.length > 1) throw new RowError(`A task with choices has one right answer here, but ${targets.length} are given.`)
  const byText = choices.indexOf(target)
  if (byText >= 0) return choiceLabel(byText)
  const letter = target.trim().toUpperCase()
  if (choices.some((_, i) => choiceLabel(i) === letter && /^[A-Z]$/.test(letter))) return letter
  if (/^\d+$/.test(target) && Number(target) < choices.length) return choiceLabel(Number(target))
  throw new RowError(
    `The target "${target.slice(0, 60)}" is neither one of the ${choices.length} choices nor its letter or its position from 0.`,
  )
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map(name => `"${name.slice(0, 60)}"`)
  return names.length > 20 ? `${shown.join(', ')} and ${names.length - 20} more` : shown.join(', ')
}
