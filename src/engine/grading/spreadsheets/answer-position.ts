import { cellsOf } from '../scorers/spreadsheetbench/cell-range.ts'
import type { SheetCells, Workbook } from './read-workbook.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

/** Most cells of one task that are compared; whole columns written out would be millions. */
const mostCells = 200_000

/**
 * The cells that an answer position of SpreadsheetBench names, with what a workbook holds there; `None` where it holds nothing.
 * The data has stray quotes, which are removed at both ends of every part, as upstream does. Names of sheets that hold a comma, a quote or an
 * exclamation mark are known from the workbook; `$B$2` is B2, and whole columns and rows (`A:G`, `2:5`) end where the sheet does.
 * @throws Error when a part is not a range, or the workbook lacks a sheet
 */
export function answerCells(workbook: Workbook, position: string): Record<string, SheetCells> {
  const answer: Record<string, Record<string, string>> = {}
  let count = 0
  for (const { sheet: named, range } of partsOf(position, [...workbook.keys()])) {
    const sheet = named ?? [...workbook.keys()][0] ?? ''
    const cells = workbook.get(sheet)
    if (!cells) throw new Error(`The workbook has no sheet "${sheet}".`)
    const wanted = (answer[sheet] ??= {})
    for (const address of cellsOf(boundedRange(range, cells))) {
      if (++count > mostCells) throw new Error(`The answer position names more than ${mostCells} cells.`)
      wanted[address] = cells[address] ?? 'None'
    }
  }
  return answer
}

interface Part {
  /** Null for the first sheet. */
  readonly sheet: string | null
  readonly range: string
}

/** Sheets of the workbook first, since their names may hold what separates parts. */
function partsOf(position: string, sheets: readonly string[]): Part[] {
  const known = sheets
    .flatMap(sheet => [...new Set([sheet, sheet.replaceAll("'", "''")])].map(written => ({ sheet, written })))
    .sort((a, b) => b.written.length - a.written.length)
  const parts: Part[] = []
  for (let rest = position; ; ) {
    const begun = rest.replace(/^[\s']+/, '')
    const found = known.find(({ written }) => begun.startsWith(written) && /^['\s]*!/.test(begun.slice(written.length)))
    const text = found ? begun.slice(found.written.length).replace(/^['\s]*!/, '') : rest
    const end = text.indexOf(',')
    const one = end < 0 ? text : text.slice(0, end)
    if (found) parts.push({ sheet: found.sheet, range: unquote(one) })
    else {
      const [before = '', after] = one.split('!')
      parts.push(after === undefined ? { sheet: null, range: unquote(before) } : { sheet: unquote(before), range: unquote(after) })
    }
    if (end < 0) return parts
    rest = text.slice(end + 1)
  }
}

/** Whole columns and rows up to the last cell that the sheet uses. */
function boundedRange(range: string, cells: SheetCells): string {
  const plain = range.replaceAll('$', '').replaceAll(/\s/g, '')
  const [, firstColumn, lastColumn] = /^([A-Za-z]{1,3}):([A-Za-z]{1,3})$/.exec(plain) ?? []
  const [, firstRow, lastRow] = /^(\d{1,7}):(\d{1,7})$/.exec(plain) ?? []
  const used = Object.keys(cells).map(address => {
    const [, column = 'A', row = '1'] = /^([A-Z]{1,3})(\d{1,7})$/.exec(address) ?? []
    return { column, row: Number(row) }
  })
  if (firstColumn !== undefined && lastColumn !== undefined)
    return `${firstColumn}1:${lastColumn}${used.reduce((most, { row }) => Math.max(most, row), 1)}`
  if (firstRow === undefined || lastRow === undefined) return plain
  const column = used.map(one => one.column).reduce((a, b) => (b.length > a.length || (b.length === a.length && b > a) ? b : a), 'A')
  return `A${firstRow}:${column}${lastRow}`
}

function unquote(text: string): string {
  return trimEndOf(text.trim(), /'/).replace(/^'+/, '')
}
