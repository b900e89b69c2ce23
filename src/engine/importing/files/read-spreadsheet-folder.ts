import { z } from 'zod'
import { describeFirst } from '../../../contract/describe-issue.ts'
import { answerCells } from '../../grading/spreadsheets/answer-position.ts'
import { readWorkbook, type Workbook } from '../../grading/spreadsheets/read-workbook.ts'
import { locateLines } from './locate-lines.ts'
import { problem, type RowOrProblem } from './row.ts'
import type { Archive } from '../../archives/archive.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'
import { messageOf } from '../../../lib/message-of.ts'

const Item = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  instruction: z.string().min(1),
  spreadsheet_path: z.string().min(1),
  answer_position: z.string().min(1),
})

/**
 * The rows of a SpreadsheetBench folder in a zip archive: a list of tasks in JSON beside a folder of workbooks. Each row gets `cases`, the
 * values of each pair of input and answer. Tasks whose workbooks are not in the archive or cannot be read are left out, and said to be.
 */
export function* readSpreadsheetFolder(zip: Archive): Generator<RowOrProblem> {
  const lists = zip.names.filter(name => /(^|\/)[^/]*\.json$/.test(name) && !name.includes('__MACOSX'))
  const [list] = lists
  if (list === undefined || lists.length > 1)
    return yield problem(null, `The archive must hold one list of tasks in JSON beside the folder of workbooks; it holds ${lists.length}.`)
  const text = zip.read(list).toString('utf8')
  const items = parseList(text)
  if (!items) return yield problem(null, `"${list}" is no list of tasks in JSON.`)
  const lines = locateLines(text)
  const root = list.slice(0, list.lastIndexOf('/') + 1)
  for (const [i, value] of items.entries()) {
    const line = lines[i] ?? 1
    const item = Item.safeParse(value)
    if (!item.success) {
      yield problem(line, `Task ${i + 1} cannot be read: ${describeFirst(item.error.issues, 'it')}.`)
      continue
    }
    const pairs = pairsOf(zip, `${root}${trimEndOf(item.data.spreadsheet_path, /\//)}/`)
    if (pairs.length === 0) {
      yield { kind: 'skipped', line, message: 'the workbooks are not in the archive' }
      continue
    }
    yield rowOf(zip, line, item.data, pairs)
  }
}

function rowOf(zip: Archive, line: number, item: z.infer<typeof Item>, pairs: readonly Pair[]): RowOrProblem {
  try {
    const cases = pairs.map(({ input, answer }) => ({
      input: Object.fromEntries(read(zip, input)),
      answer: answerCells(read(zip, answer), item.answer_position),
    }))
    return { kind: 'row', line, value: { ...item, cases } }
  } catch (error) {
    return { kind: 'skipped', line, message: `Task ${item.id}: ${messageOf(error)}` }
  }
}

function read(zip: Archive, name: string): Workbook {
  try {
    return readWorkbook(zip.read(name))
  } catch (error) {
    throw new Error(`"${name}": ${messageOf(error)}`)
  }
}

interface Pair {
  readonly input: string
  readonly answer: string
}

/** `<n>_<id>_input.xlsx` with `<n>_<id>_answer.xlsx`, by n. */
function pairsOf(zip: Archive, folder: string): Pair[] {
  const present = new Set(zip.names)
  return zip.names
    .filter(name => name.startsWith(folder) && name.endsWith('_input.xlsx'))
    .map(input => ({ input, answer: input.replace(/_input\.xlsx$/, '_answer.xlsx') }))
    .filter(({ answer }) => present.has(answer))
    .sort((a, b) => (a.input < b.input ? -1 : 1))
}

function parseList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
