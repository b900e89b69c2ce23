import { importLimits } from '../files/limits.ts'
import { readCsv } from '../files/read-csv.ts'
import {
  EvidenceError,
  type EvidenceFile,
  type EvidenceMapping,
  type EvidenceRow,
  isNumber,
  listed,
  mostTasks,
  taskName,
} from './evidence-file.ts'

/** Names that other tools give to the columns, without regard to case; the first that a file has is taken. */
const usualTasks = ['task_id', 'task', 'id', 'sample_id', 'example_id', 'question_id', 'instance_id', 'test', 'name']
const usualValues = [
  'score',
  'value',
  'passed',
  'pass',
  'success',
  'correct',
  'is_correct',
  'result',
  'accuracy',
  'resolved',
  'is_resolved',
]
const usualTexts = ['input', 'question', 'prompt', 'query', 'problem', 'text']
const usualLabels = ['model', 'provider', 'label']
/** As many answers of a task are read as a run can have, from the few that usually differ in label. */
const mostRows = mostTasks * 10

const words: Readonly<Record<string, number>> = {
  true: 1,
  yes: 1,
  pass: 1,
  passed: 1,
  correct: 1,
  success: 1,
  ok: 1,
  false: 0,
  no: 0,
  fail: 0,
  failed: 0,
  wrong: 0,
  incorrect: 0,
  failure: 0,
}
const unscored = new Set(['', 'nan', 'n/a', 'na', 'null', 'none', 'error', 'skipped', 'unscored'])

/** A table with a column of tasks and one of values: numbers, or words such as pass and fail. @throws EvidenceError */
export async function readCsvEvidence(bytes: Buffer, { taskField, valueField }: EvidenceMapping): Promise<EvidenceFile> {
  const rows: EvidenceRow[] = []
  const cautions: string[] = []
  let columns: { readonly task: string; readonly value: string; readonly label: string | null } | null = null
  for await (const row of readCsv(chunked(bytes), importLimits)) {
    if (row.kind === 'skipped') {
      cautions.push(`Line ${row.line} was not read. ${row.message}`)
      continue
    }
    if (row.kind !== 'row') throw new EvidenceError(row.message, row.line)
    const names = Object.keys(row.value)
    columns ??= {
      task: columnOf(names, taskField, usualTasks, 'task_field', 'task'),
      value: columnOf(names, valueField, usualValues, 'value_field', 'value'),
      label: names.find(name => usualLabels.includes(name.toLowerCase()) && name !== taskField && name !== valueField) ?? null,
    }
    if (rows.length === mostRows) throw new EvidenceError(`The file has more than ${mostRows} rows.`, row.line)
    const cell = (name: string): string => textOf(row.value[name])
    const task = taskName(cell(columns.task), row.line)
    const texts = names.filter(name => usualTexts.includes(name.trim().toLowerCase())).map(cell)
    rows.push({
      line: row.line,
      task,
      isPlace: taskField === undefined && isNumber(task),
      texts: texts.filter(text => text !== ''),
      label: columns.label === null || cell(columns.label) === '' ? null : cell(columns.label).slice(0, 200),
      metric: columns.value,
      value: valueOf(cell(columns.value), columns.value, row.line),
    })
  }
  if (rows.length === 0) throw new EvidenceError('The file has no rows.')
  return { rows, figures: [], blocked: null, cautions }
}

/** Every cell of a table is text. */
function textOf(cell: unknown): string {
  return typeof cell === 'string' ? cell.trim() : ''
}

async function* chunked(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield bytes
}

function columnOf(names: readonly string[], wanted: string | undefined, usual: readonly string[], field: string, what: string): string {
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted
    throw new EvidenceError(`There is no column "${wanted.slice(0, 60)}"; the file has ${listed(names)}. Change ${field}.`, 1)
  }
  const found = usual.map(name => names.find(one => one.trim().toLowerCase() === name)).find(one => one !== undefined)
  if (found !== undefined) return found
  throw new EvidenceError(`No column has a usual name for the ${what}; the file has ${listed(names)}. Set ${field}.`, 1)
}

function valueOf(text: string, column: string, line: number): number | null {
  const lower = text.toLowerCase()
  if (unscored.has(lower)) return null
  const number = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : words[lower]
  if (number !== undefined && Number.isFinite(number)) return number
  throw new EvidenceError(
    `The column "${column.slice(0, 60)}" has "${text.slice(0, 40)}", which is not a number, nor a word such as pass or fail.`,
    line,
  )
}
