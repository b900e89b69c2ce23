import type { ImportLimits } from './limits.ts'
import { type Line, peekLines, readLines } from './read-lines.ts'
import { problem, type RowOrProblem } from './row.ts'
import { usualColumn, usualParts } from './usual-columns.ts'

const delimiters = [',', ';', '\t', '|'] as const
const mostColumns = 1000

/**
 * Rows of CSV after RFC 4180 by the names of the first line, or by those given where no line names them, every value as text. The delimiter
 * is the comma, semicolon, tab or bar by which the first rows have as many cells as the first line has names, or that Excel states (`sep=;`).
 * Text that is not UTF-8 is read as Windows-1252, as Excel saves it; a cell `NaN` is empty. A row names the line on which it begins, also where quoted cells span
 * several. Lines may end with a carriage return alone, as old programs of the Mac write them, also some of them; those without any text are passed over. Columns without a name, as pandas writes its index, are called `Unnamed: 0` as it reads them; blanks around names are removed where no two become the same.
 */
export async function* readCsv(
  bytes: AsyncIterable<Uint8Array>,
  limits: ImportLimits,
  names?: readonly string[],
): AsyncGenerator<RowOrProblem> {
  const { head, whole } = await peekLines(bytes, lookedBytes)
  const { form, remarks } = names ? { form: usualForm, remarks: 0 } : likelyForm(head)
  let header: Header | null = names ? { names } : null
  let record: OpenRecord | null = null
  let above = 0
  /** The cells of a line with tabs unchanged, where it leaves a quote open and has a cell for each column all the same. */
  let bare: OpenRecord | null = null
  const again: Line[] = []
  let sinceQuote: Line[] = []
  for await (const line of withRepeats(readLines(whole, limits, 'windows-1252'), again)) {
    if (!record) sinceQuote = []
    if ('problem' in line) {
      yield problem(line.number, line.problem)
      record = null
      continue
    }
    if (bare && header && line.text.trim() !== '') {
      if (tabbed(line, header) !== null) {
        yield toRow(header, bare)
        record = null
      }
      bare = null
    }
    if (!record && line.text.trim() === '') continue
    if (!record && !header && statedDelimiter(line.text) !== null) continue
    // Spreadsheets write rows that were emptied as delimiters alone.
    if (!record && header && line.text.split(form.delimiter).every(cell => cell.trim() === '')) continue
    if (!record && header && line.text.includes('\r')) {
      const whole = readCells(emptyRecord(line), line.text, form)
      if (whole.fault !== undefined || whole.open !== null || whole.cells.length !== header.names.length) {
        for (const text of line.text.split('\r').reverse()) again.push({ number: line.number, text })
        continue
      }
    }
    record = readCells(record ?? emptyRecord(line), line.text, form)
    if (record.fault !== undefined) {
      const isOnOneLine = record.line === line.number
      // The quote of an earlier line was closed by one that begins a cell here: only that earlier row is lost.
      if (!isOnOneLine) for (const one of [...sinceQuote, line].reverse()) again.push(one)
      const cell = record.cells.length + 1
      yield problem(
        record.line,
        isOnOneLine
          ? record.fault
          : `The quote that begins cell ${cell} is not closed on its line; the next quote is on line ${line.number}.`,
      )
      record = null
      if (!header) return
      continue
    }
    if (record.open !== null) {
      if (record.line !== line.number) sinceQuote.push(line)
      else if (header && form.delimiter === '\t') bare = tabbed(line, header)
      if (record.length <= limits.lineBytes) continue
      yield problem(record.line, `The row is longer than ${limits.lineBytes} characters; perhaps a quote is not closed.`)
      return
    }
    if (header) yield toRow(header, record)
    else if (above < remarks && isRemark(record.cells)) {
      above++
      const remark = record.cells.join('').trim()
      if (remark !== '')
        yield { kind: 'skipped', line: record.line, message: `It is above the names of the columns: "${remark.slice(0, 60)}".` }
    } else {
      header = { names: namesOf(record.cells) }
      const fault = /^\s*(?:\{\s*"|\[\s*[{[])/.test(line.text)
        ? 'Choose the format "jsonl" or "json": the first line is JSON.'
        : faultOfHeader(header.names)
      if (fault) {
        yield problem(record.line, fault)
        return
      }
    }
    record = null
  }
  if (bare && header) yield toRow(header, bare)
  else if (record)
    yield problem(record.line, 'The row begins a quoted cell that is not closed. Close its quote, and double the quotes within cells.')
  if (!header && !record) yield problem(null, 'The file is empty: a first line with column names is needed.')
}

/** A line's cells without any rule of quotes, as most programs write tables with tabs; null where they are not one for each column. */
function tabbed({ text, number }: Extract<Line, { text: string }>, { names }: Header): OpenRecord | null {
  const cells = text.split('\t')
  return cells.length === names.length ? { line: number, cells, open: null, length: text.length } : null
}

/** The lines, each followed by what its reader wants read again, the last of it first in the list. */
async function* withRepeats(lines: AsyncIterable<Line>, again: Line[]): AsyncGenerator<Line> {
  for await (const line of lines) {
    yield line
    for (let next = again.pop(); next; next = again.pop()) yield next
  }
}

interface Header {
  readonly names: readonly string[]
}

/** How cells are told apart. */
interface Form {
  readonly delimiter: string
  /** How a quote within quotes is written: doubled, or behind a backslash as some programs do. */
  readonly escape: 'double' | 'backslash'
}

const usualForm: Form = { delimiter: ',', escape: 'double' }

/** A row that may continue on the next line. */
interface OpenRecord {
  readonly line: number
  readonly cells: readonly string[]
  /** What a quoted cell holds so far, while it is not closed. */
  readonly open: string | null
  readonly length: number
  readonly fault?: string
}

const emptyRecord = ({ number }: Pick<Line, 'number'>): OpenRecord => ({ line: number, cells: [], open: null, length: 0 })

function readCells(record: OpenRecord, text: string, { delimiter, escape }: Form): OpenRecord {
  const cells = [...record.cells]
  const length = record.length + text.length
  let open = record.open === null ? null : `${record.open}\n`
  for (let i = 0; i <= text.length; ) {
    if (open === null && text[i] !== '"') {
      const end = text.indexOf(delimiter, i)
      const cell = text.slice(i, end < 0 ? text.length : end)
      // Tables with tabs have no quoting rules of their own, and quotes within a cell are common.
      if (cell.includes('"') && delimiter !== '\t')
        return {
          ...record,
          fault: `The unquoted cell ${cells.length + 1} contains a quote. Put the whole cell in quotes and double the quotes in it.`,
        }
      cells.push(cell)
      i = end < 0 ? text.length + 1 : end + 1
      continue
    }
    if (open === null) {
      open = ''
      i++
    }
    const quote = text.indexOf('"', i)
    if (escape === 'backslash' && quote > i && text[quote - 1] === '\\') {
      open += `${text.slice(i, quote - 1)}"`
      i = quote + 1
      continue
    }
    if (quote < 0) return { line: record.line, cells, open: open + text.slice(i), length }
    open += text.slice(i, quote)
    i = quote + 1
    if (text[i] === '"') {
      open += '"'
      i++
      continue
    }
    if (i < text.length && text[i] !== delimiter && delimiter === '\t' && !open.includes('\n')) {
      // In tables with tabs a cell may begin with a quoted word.
      const end = text.indexOf(delimiter, i)
      cells.push(`"${open}"${text.slice(i, end < 0 ? text.length : end)}`)
      open = null
      i = end < 0 ? text.length + 1 : end + 1
      continue
    }
    if (i < text.length && text[i] !== delimiter)
      return { ...record, fault: `After the quoted cell ${cells.length + 1} a delimiter must follow.` }
    cells.push(open)
    open = null
    i++
  }
  return { line: record.line, cells, open, length }
}

function toRow({ names }: Header, { line, cells }: OpenRecord): RowOrProblem {
  if (cells.length !== names.length)
    return problem(
      line,
      `The row has ${cells.length === 1 ? 'one cell' : `${cells.length} cells`} but the first line names ${names.length === 1 ? 'one column' : `${names.length} columns`}. Put quotes around cells that hold the delimiter, and begin the file with the names of the columns.`,
    )
  return { kind: 'row', line, value: Object.fromEntries(names.map((name, i) => [name, cellOf(cells[i] ?? '')])) }
}

/** How many of the first rows are remarks of a spreadsheet above its table: below them are the names of two or more columns, some of them usual. */
function remarksAbove(lines: readonly string[], form: Form): number {
  let remarks = 0
  for (const { cells, fault } of recordsIn(lines, form)) {
    if (fault !== undefined || !isRemark(cells)) return fault === undefined && isHeader(cells) ? remarks : 0
    remarks++
  }
  return 0
}

/** Of three or more cells only the first has text, and not a usual name: a table may name one column, or leave its index without names. */
function isRemark([first = '', ...others]: readonly string[]): boolean {
  return others.length > 1 && others.every(cell => cell.trim() === '') && usualCount([first.trim()]) === 0
}

/** All cells are names and one of them is usual, or two are. */
function isHeader(cells: readonly string[]): boolean {
  const names = cells.map(cell => cell.trim()).filter(cell => cell !== '')
  return names.length > 1 && usualCount(names) > (names.length === cells.length ? 0 : 1)
}

/** How many parts of a task have a usual name. */
function usualCount(names: readonly string[]): number {
  return usualParts.filter(part => usualColumn(part, names) !== null).length
}

/** Names of columns without the blanks around them, which would hide a usual name. */
function namesOf(cells: readonly string[]): readonly string[] {
  const given = cells.map((name, i) => (name.trim() === '' ? `Unnamed: ${i}` : name))
  const trimmed = given.map(name => name.trim())
  return new Set(trimmed).size === new Set(given).size ? trimmed : given
}

/** pandas and numpy write what is missing as `nan`. */
function cellOf(cell: string): string {
  return cell === 'nan' || cell === 'NaN' ? '' : cell
}

function faultOfHeader(names: readonly string[]): string | null {
  if (names.length > mostColumns)
    return `Remove the columns that are not needed: the first line names ${names.length}, and at most ${mostColumns} are read.`
  const repeated = names.find((name, i) => names.indexOf(name) !== i)
  if (repeated !== undefined) return `Rename one of the columns "${repeated.slice(0, 60)}": the first line names it twice.`
  return names.includes('__proto__') ? 'Rename the column "__proto__": the name is refused.' : null
}

/** Bytes and rows that are looked at to tell cells apart. */
const lookedBytes = 65_536
const lookedRows = 30

/** Excel's line before the header. */
function statedDelimiter(text: string): string | null {
  return /^"?sep=([,;\t|])"?$/i.exec(text)?.[1] ?? null
}

/** The form by which most of the first rows have as many cells as the header has names, of equals the one with more cells; and how many rows are above the header. */
function likelyForm(head: Buffer): { readonly form: Form; readonly remarks: number } {
  const text = head.toString('utf8').replace(/^\uFEFF/, '')
  const lines = text.split(/\r?\n|\r/)
  // The last line may be cut.
  if (head.length >= lookedBytes) lines.pop()
  const stated = statedDelimiter(lines[0] ?? '')
  if (stated !== null) lines.shift()
  // A table in Markdown begins its lines with a bar, and has a line of dashes among its rows.
  const used = stated === null ? delimiters.filter(one => one !== '|' || !lines[0]?.trimStart().startsWith('|')) : [stated]
  let best = { form: { delimiter: stated ?? ',', escape: 'double' } as Form, fit: -1, cells: 0 }
  for (const escape of ['double', 'backslash'] as const) {
    for (const delimiter of used) {
      const { fit, cells } = fitOf(lines, { delimiter, escape })
      if (fit > best.fit || (fit === best.fit && cells > best.cells)) best = { form: { delimiter, escape }, fit, cells }
    }
  }
  return { form: best.form, remarks: remarksAbove(lines, best.form) }
}

/** Whole rows, and those with a fault. */
function* recordsIn(lines: readonly string[], form: Form): Generator<OpenRecord> {
  let record: OpenRecord | null = null
  for (const [i, line] of lines.entries()) {
    if (!record && line.trim() === '') continue
    record = readCells(record ?? emptyRecord({ number: i }), line, form)
    if (record.fault === undefined && record.open !== null) continue
    yield record
    record = null
  }
}

/** Share of the rows that have as many cells as the header; 0 where it has one cell. */
function fitOf(lines: readonly string[], form: Form): { readonly fit: number; readonly cells: number } {
  let header: number | null = null
  const counts = { rows: 0, fitting: 0 }
  for (const read of recordsIn(lines, form)) {
    if (header === null) {
      if (read.fault !== undefined) return { fit: 0, cells: 0 }
      header = read.cells.length
      continue
    }
    counts.rows++
    if (read.fault === undefined && read.cells.length === header) counts.fitting++
    if (counts.rows === lookedRows) break
  }
  const cells = header ?? 0
  const share = counts.rows === 0 ? 1 : counts.fitting / counts.rows
  // A table with one column has no delimiter to be told by.
  return { fit: cells > 1 ? share : 0, cells }
}
