import { parsePythonLiteral } from '../../grading/scorers/python/literal.ts'
import type { PyValue } from '../../grading/scorers/python/values.ts'
import { choiceLabel } from '../../grading/scorers/inspect-ai/multiple-choice.ts'
import { filesInCell, looksLikeFiles } from '../media/media-cell.ts'
import { presentField, scalarText } from './row-fields.ts'
import { type Row, RowError } from './row.ts'
import { writtenCell, writtenItems } from './written-numbers.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

/** The answer choices of a row, and the labels that the file gives them; null where it gives none. */
export interface ChoiceList {
  readonly texts: readonly string[]
  readonly labels: readonly string[] | null
  /** Which of them the file marks as right, where it does so beside the choices. */
  readonly flags: readonly boolean[] | null
  /** Names of the columns, where they are more than letters and so may be what the key names. */
  readonly columns?: readonly string[]
  /** The choices as the file holds them, where some of them may be files. */
  readonly cells?: readonly unknown[]
}

/** A choice that is a file, in words: its name, else its place. */
function choiceText(value: unknown, name: string, place: number): string {
  if (!looksLikeFiles(value)) return scalarText(value, name)
  const [file] = filesInCell(value) ?? []
  const path = file?.kind === 'path' ? file.path : file?.kind === 'bytes' ? file.name : null
  return path ?? `Choice ${choiceLabel(place)}`
}

/** Names of columns that hold one choice each; the first series of which a file has two columns or more is taken. */
const seriesOfColumns: readonly (readonly string[])[] = [
  ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J'],
  ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'],
  ...['option_', 'choice_', 'answer_'].flatMap(stem => [letters(stem), letters(stem).map(upperEnd), digits(stem, 0), digits(stem, 1)]),
  ...['option', 'choice', 'answer', 'ans', 'ending', 'ending_', 'Option ', 'Choice '].flatMap(stem => [
    letters(stem).map(upperEnd),
    digits(stem, 0),
    digits(stem, 1),
  ]),
  ['opa', 'opb', 'opc', 'opd', 'ope'],
  ['sol1', 'sol2'],
]

/** Columns with a choice each, in order; null where a file has no such series. */
export function choiceSeries(names: readonly string[]): readonly string[] | null {
  const known = new Set(names)
  for (const series of seriesOfColumns) {
    const end = series.findIndex(name => !known.has(name))
    const present = end < 0 ? series : series.slice(0, end)
    if (present.length >= 2) return present
  }
  return null
}

/** @param columns one that holds a list, or several that hold a choice each @throws RowError */
export function readChoices(row: Row, columns: readonly string[]): ChoiceList {
  const [column = ''] = columns
  return columns.length > 1 ? fromColumns(row, columns) : fromValue(listValue(presentField(row, column), column), column)
}

/** Choices in columns of their own; the last ones may be empty, since not every question has as many. */
function fromColumns(row: Row, columns: readonly string[]): ChoiceList {
  const texts = columns.flatMap((column, i) => {
    presentField(row, column)
    const value = writtenCell(row.value, column)
    // Wrong answers may be a list in one column.
    if (Array.isArray(value)) return value.map((item: unknown) => scalarText(item, column))
    return [value === null ? '' : choiceText(value, column, i)]
  })
  const end = texts.findLastIndex(text => text.trim() !== '') + 1
  if (end < 2) throw new RowError(`The columns ${columns.map(name => `"${name}"`).join(', ')} hold fewer than 2 choices.`)
  const gap = texts.slice(0, end).findIndex(text => text.trim() === '')
  if (gap >= 0) throw new RowError(`The field "${columns[gap]}" is empty although a later choice is not.`)
  const isNamed = texts.length === columns.length && columns.every(name => name.length > 1)
  const cells = texts.length === columns.length ? columns.slice(0, end).map(column => row.value[column]) : []
  return {
    texts: texts.slice(0, end),
    labels: null,
    flags: null,
    ...(isNamed && { columns: columns.slice(0, end) }),
    ...(cells.some(looksLikeFiles) && { cells }),
  }
}

function fromValue(value: unknown, name: string): ChoiceList {
  if (Array.isArray(value)) return fromList(value, name)
  if (isRecord(value)) return fromRecord(value, name)
  // Bars may also belong to one choice, such as "P(A|B)": they are not read. The same words for all rows, which are shown as one error.
  const found = typeof value !== 'string' ? 'is no list' : value.includes('|') ? 'is text with bars (|)' : 'is text'
  throw new RowError(`The field "${name}" must be a list such as ["one", "two"] but ${found}.`)
}

function fromList(list: readonly unknown[], name: string): ChoiceList {
  if (list.length === 0) throw new RowError(`The list "${name}" is empty.`)
  if (list.some(looksLikeFiles)) return { texts: list.map((item, i) => choiceText(item, name, i)), labels: null, flags: null, cells: list }
  if (!list.every(isRecord)) return bare(writtenItems(list).map(item => scalarText(item, name)))
  const read = list.map(item => ({
    text: textOf(item, ['text', 'content', 'value', 'choice', 'option', 'answer'], name),
    label: labelOf(item, name),
  }))
  const labels = read.map(({ label }) => label)
  return {
    texts: read.map(({ text }) => text),
    labels: labels.every(label => label !== null) ? labels : null,
    flags: null,
  }
}

/** `{text: […], label: […]}` as Hugging Face keeps ARC, `{choices: […], labels: [0, 1]}` as TruthfulQA, or `{"A": "one", "B": "two"}`. */
function fromRecord(record: Readonly<Record<string, unknown>>, name: string): ChoiceList {
  const texts = record['text'] ?? record['choices']
  if (Array.isArray(texts)) {
    const list = writtenItems(texts).map(item => scalarText(item, name))
    if (list.length === 0) throw new RowError(`The list "${name}" is empty.`)
    const marks = record['label'] ?? record['labels']
    if (!Array.isArray(marks) || marks.length !== list.length) return bare(list)
    const flags = flagsOf(marks, list.length)
    return flags
      ? { texts: list, labels: null, flags }
      : { texts: list, labels: marks.map((mark: unknown) => scalarText(mark, name)), flags }
  }
  const entries = Object.entries(record).filter(([, text]) => text !== null)
  if (entries.length < 2) throw new RowError(`The field "${name}" must hold at least 2 choices.`)
  // A map from text to right or wrong, as in the older TruthfulQA: {"one": 1, "two": 0}.
  const flags = flagsOf(
    entries.map(([, mark]) => mark),
    entries.length,
  )
  if (flags) return { texts: entries.map(([text]) => text), labels: null, flags }
  const ordered = byLetter(entries)
  if (ordered === entries && entries.every(([, mark]) => typeof mark === 'number' && mark >= 0 && mark <= 1))
    throw new RowError(
      `The scores in "${name}" must be 1 for one of the choices and 0 for the others: a task with choices has one right answer here.`,
    )
  return {
    texts: ordered.map(([label]) => scalarText(writtenCell(record, label), name)),
    labels: ordered.map(([label]) => label),
    flags: null,
  }
}

/** Labels that are the letters from A on keep their letters: a map has no order of its own. */
function byLetter<Value>(entries: readonly (readonly [string, Value])[]): readonly (readonly [string, Value])[] {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.every(([label], i) => label.toUpperCase() === String.fromCharCode(65 + i)) ? sorted : entries
}

/** Marks 0 and 1 with a single 1; null for any other list. */
export function flagsOf(marks: readonly unknown[], count: number): readonly boolean[] | null {
  const isFlag = (mark: unknown): boolean => mark === 0 || mark === 1 || mark === true || mark === false
  if (count < 2 || marks.length !== count || !marks.every(isFlag)) return null
  const flags = marks.map(Boolean)
  return flags.filter(Boolean).length === 1 ? flags : null
}

/** Texts, without the labels that each of them begins with ("A) one", "(B) two"). */
function bare(list: readonly string[]): ChoiceList {
  const labeled = list.map(text => /^\s*\(?([A-Z])[).:]\s*(\S[^]*)$/.exec(text))
  const inOrder = list.length > 1 && labeled.every((match, i) => match?.[1] === String.fromCharCode(65 + i))
  return { texts: inOrder ? labeled.map(match => match?.[2] ?? '') : list, labels: null, flags: null }
}

/** A text that is a list or map of JSON, or of Python as pandas writes it, or has a letter before each choice, since CSV has no lists. */
function listValue(value: unknown, name: string): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (!text.startsWith('[') && !text.startsWith('{')) return letteredIn(text) ?? value
  try {
    return JSON.parse(text)
  } catch {
    const python = numpyTexts(text) ?? plainPython(pythonIn(withoutArrays(text)), name)
    if (python === null) throw new RowError(`The list in the field "${name}" is not valid JSON.`)
    return python
  }
}

/** `array([…], dtype=object)` within a map is its list, as pandas writes a column of Parquet into CSV; texts stay as they are. */
function withoutArrays(text: string): string {
  const parts = /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|\barray\(|(?:,\s*dtype=\w+)?\)/g
  if (![...text.matchAll(parts)].some(([part]) => part === 'array(')) return text
  return text.replaceAll(parts, part => (part.startsWith("'") || part.startsWith('"') ? part : ''))
}

/** `['one' 'two']`, as numpy shows a list of texts; Python would read it as one text. */
function numpyTexts(text: string): string[] | null {
  const quoted = /'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?/g
  const texts = [...text.matchAll(quoted)].map(([one]) => one.slice(1, -1).replaceAll(/\\(['"\\])/g, '$1'))
  return texts.length > 1 && /^\[\s*\]$/.test(text.replaceAll(quoted, '')) ? texts : null
}

/** The reader follows adjacent texts by recursion, so that hundreds of thousands of them exceed the stack. */
function pythonIn(text: string): PyValue | null {
  try {
    return parsePythonLiteral(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function plainPython(value: PyValue | null, name: string): unknown {
  switch (value?.type) {
    case 'list':
    case 'tuple':
      return value.items.map(item => plainPython(item, name))
    case 'dict':
      return Object.fromEntries(value.entries.map(([key, inner]) => [String(plainPython(key, name)), plainPython(inner, name)]))
    case 'str':
    case 'float':
    case 'bool':
      return value.value
    case 'int':
      return String(value.value)
    case 'none':
      return null
    case undefined:
      return null
    default:
      throw new RowError(`The list in the field "${name}" must hold texts or numbers.`)
  }
}

/** `a ) 38 , b ) 27.675 , c ) 30`, as MathQA has it, or `A. one\nB. two`; null for any other text. */
function letteredIn(text: string): string[] | null {
  const marks = [...text.matchAll(/(?:^|[\s,;])\(?([A-Za-z])\s?[).:]\s/g)]
  const inOrder: typeof marks = []
  for (const mark of marks) if (mark[1]?.toUpperCase() === String.fromCharCode(65 + inOrder.length)) inOrder.push(mark)
  if (inOrder.length < 2 || inOrder[0]?.index !== 0) return null
  return inOrder.map((mark, i) => trimEndOf(text.slice(mark.index + mark[0].length, inOrder[i + 1]?.index ?? text.length), /[\s,;]/).trim())
}

function textOf(item: Readonly<Record<string, unknown>>, names: readonly string[], name: string): string {
  const found = names.find(candidate => Object.hasOwn(item, candidate))
  if (found === undefined) throw new RowError(`A choice in "${name}" has no "text".`)
  return scalarText(writtenCell(item, found), name)
}

function labelOf(item: Readonly<Record<string, unknown>>, name: string): string | null {
  const found = ['label', 'key', 'id', 'letter'].find(candidate => Object.hasOwn(item, candidate))
  return found === undefined ? null : scalarText(item[found], name)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function letters(stem: string): string[] {
  return Array.from({ length: 10 }, (_, i) => `${stem}${String.fromCharCode(97 + i)}`)
}

function upperEnd(name: string): string {
  return `${name.slice(0, -1)}${name.slice(-1).toUpperCase()}`
}

function digits(stem: string, from: number): string[] {
  return Array.from({ length: 10 }, (_, i) => `${stem}${i + from}`)
}
