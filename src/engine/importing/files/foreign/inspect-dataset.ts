import type { MediaIntake } from '../../media/media-intake.ts'
import type { LeftPart } from '../import-order.ts'
import type { TaskContent } from '../import-source.ts'
import { pythonText } from '../../templates/python-text.ts'
import { NullAnswers, otherNamesThan, textsField } from '../row-fields.ts'
import { type Row, RowError } from '../row.ts'
import { usualColumn } from '../usual-columns.ts'
import { cellsOf, rowOfCells, writtenCell } from '../written-numbers.ts'
import { foreignTask, promptInput, targetTexts, taskId } from './foreign-task.ts'

/** A dataset of Inspect while it is read. */
export interface InspectDataset {
  /** @param file of which problems are reported */
  contentOf(file: string): TaskContent
  /** What samples need and runs do not have, once the rows were read. */
  leftParts(): LeftPart[]
  /** Whether questions have several right choices, all of which count, once the rows were read. */
  hasSeveralRight(): boolean
  /** The part of the samples that is not imported, once they were read. */
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
  let texts = 0
  const left = new Set<string>()
  const parts: LeftPart[] = []
  const nulls = new NullAnswers()
  /** What the columns are called where there is no "input", by Inspect's names. */
  let others: Readonly<Record<string, string>> | null = null
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
    noted: () => [
      ...(others === null ? [] : [describeNames(others)]),
      ...(texts === 0
        ? []
        : [`${texts === 1 ? 'One target is' : `${texts} targets are`} the text of a choice, and its letter is compared.`]),
      ...(left.size === 0 ? [] : [`Fields of the samples that were not imported: ${[...left].slice(0, 20).join(', ')}.`]),
      ...nulls.noted(),
    ],
    leftParts: () => parts,
    contentOf: file => ({
      format: { kind: 'any', upstream: { kind: 'jsonl' } },
      holds: 'tasks',
      read: sent => {
        const { row, names } = withInput(sent, others)
        others ??= names
        nulls.look(row, 'target')
        const choices = isGiven(row, 'choices') ? choicesIn(row) : null
        const given = isGiven(row, 'target') ? targetTexts(withPythonTexts(row, 'target'), 'target') : []
        const named = choices ? lettersOfTexts(given, choices) : null
        if (named) texts++
        const letters = choices ? (named ?? lettersIn(given, choices.length)) : null
        const targets = letters ? (letters.length > 0 ? [letters.join(',')] : []) : given
        const task = foreignTask({ id: idOf(row), input: promptInput(row, 'input', intake), targets, choices })
        first ??= { line: row.line, hasChoices: choices !== null }
        if (first.hasChoices !== (choices !== null))
          throw new RowError(
            `The sample has ${choices ? 'choices' : 'no "choices"'}, unlike the one on line ${first.line}. One prompt and one scorer can't fit both: import questions with and without choices as two files.`,
          )
        several ||= letters !== null && letters.length > 1
        for (const name of Object.keys(row.value)) if (!known.has(name)) left.add(name)
        for (const message of needsOf(row)) parts.push({ file, line: row.line, message })
        return task
      },
    }),
  }
}

/** What the columns of samples are called, by Inspect's names. */
type ColumnNames = Readonly<Record<string, string>>

/**
 * A sample with the fields of Inspect, and what they are called where it has no "input".
 * @param known of an earlier sample
 * @throws RowError where the usual names do not tell
 */
export function withInput(row: Row, known: ColumnNames | null = null): { readonly row: Row; readonly names: ColumnNames | null } {
  if (Object.hasOwn(row.value, 'input')) return { row, names: null }
  const names = known ?? otherNames(row)
  return { row: renamed(row, names), names }
}

/** A task of Inspect may name the columns of its data in Python: where it does, their usual names tell. @throws RowError where they do not */
function otherNames({ value }: Row): ColumnNames {
  const names = Object.keys(value)
  const input = usualColumn('input', names)
  const target = usualColumn('target', names)
  const choices = usualColumn('choices', names)
  if (input !== null && target !== null)
    return { input, ...(target !== 'target' && { target }), ...(choices !== null && choices !== 'choices' && { choices }) }
  throw otherNamesThan('input', value)
}

function renamed(row: Row, others: ColumnNames): Row {
  const parts = new Map(Object.entries(others).map(([part, column]) => [column, part]))
  return { ...row, value: rowOfCells(cellsOf(row.value, name => parts.get(name) ?? name)) }
}

export function describeNames({ input = '', ...rest }: ColumnNames): string {
  const parts = Object.entries(rest).map(([part, column]) => `, "${column}" as the ${part}`)
  return `The samples have no "input", so "${input}" is read as the input${parts.join('')}.`
}

/** CSV has no null, and `target` is an empty text where there is none. */
function isGiven({ value }: Row, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null && value[name] !== ''
}

/** A list, or a text with commas, or blanks, between the choices, as Inspect reads CSV. */
function choicesIn(row: Row): string[] {
  const { choices } = row.value
  if (typeof choices !== 'string' || choices.trimStart().startsWith('[')) return textsField(withPythonTexts(row, 'choices'), 'choices')
  const parts = choices.includes(',') ? choices.split(',') : choices.split(/\s+/)
  const found = parts.map(part => part.trim()).filter(part => part !== '')
  if (found.length === 0) throw new RowError('"choices" is empty. Write the choices with commas between them, or leave the column out.')
  return found
}

/** Inspect writes targets and choices as Python does: True and False, and 1.10 as 1.1. */
function withPythonTexts(row: Row, name: 'target' | 'choices'): Row {
  const shown = (value: unknown): unknown => (typeof value === 'boolean' ? pythonText(value) : value)
  const cell = writtenCell(row.value, name, 'as Python')
  return { ...row, value: { ...row.value, [name]: Array.isArray(cell) ? cell.map(shown) : shown(cell) } }
}

/** What is said of a sample that is another task without its sandbox or files. */
function needsOf(row: Row): string[] {
  const needed = ['sandbox', 'files', 'setup'].filter(name => isGiven(row, name)).map(name => `"${name}"`)
  return needed.length === 0
    ? []
    : [
        `The sample needs ${needed.join(', ')}, which a benchmark does not provide. Import the sample without that ("leave_out"), or build the task as an environment.`,
      ]
}

/** The letter of a choice by its place from 0. */
const letterAt = (place: number): string => String.fromCharCode(65 + Math.min(25, place))

/** The letters of targets that are texts of choices; null where one is not, or where all are letters. */
function lettersOfTexts(targets: readonly string[], choices: readonly string[]): string[] | null {
  if (targets.length === 0 || lettersOf(targets, choices.length) !== null) return null
  const places = targets.map(target => choices.indexOf(target))
  const isPlain = places.every((place, i) => place >= 0 && place < 26 && place === choices.lastIndexOf(targets[i] ?? ''))
  return isPlain ? [...new Set(places.map(letterAt))].sort() : null
}

/** The letters of the right choices, given one by one or as "A,C". @throws RowError for what is not a letter of a choice */
function lettersIn(targets: readonly string[], choices: number): string[] {
  const letters = lettersOf(targets, choices)
  if (letters !== null) return letters
  const last = letterAt(choices - 1)
  throw new RowError(
    `The target "${targets.join(', ').slice(0, 60)}" must be the letter of a choice, A to ${last}, several such as "A,C", or the text of a choice.`,
  )
}

/** Null for what is not a letter of a choice. */
function lettersOf(targets: readonly string[], choices: number): string[] | null {
  const letters = targets.flatMap(target => (/^[A-Z](?:[, ]{0,2}[A-Z])*$/.test(target) ? target.replaceAll(/[, ]/g, '').split('') : ['']))
  return letters.some(letter => letter === '' || letter > letterAt(choices - 1)) ? null : [...new Set(letters)].sort()
}
