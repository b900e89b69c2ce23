import { nameFew } from '../../../lib/format/name-few.ts'
import { readWorkbook, type SheetCells } from './read-workbook.ts'

/** Rows that are written for one sheet, empty ones between others too. */
const mostRows = 1_048_576
const mostColumns = 1000
/** Rows times columns, of which many may be empty. */
const mostCells = 20_000_000
/** Lines are written together until they have so many. */
const chunkCharacters = 1024 * 1024

/**
 * The one sheet of a workbook that holds anything, part by part, as CSV with what its cells show: numbers with all their digits, dates as ISO 8601 writes
 * them, empty rows as empty lines.
 * @throws ArchiveError when it is not a sound archive @throws Error when it is not a workbook or holds several sheets
 */
export function* sheetAsCsv(bytes: Buffer): Generator<string> {
  const sheets = [...readWorkbook(bytes)].filter(([, cells]) => Object.keys(cells).length > 0)
  const [first, second] = sheets
  if (!first) throw new Error('No sheet has a cell.')
  if (second) {
    const names = sheets.map(([name]) => `"${name.slice(0, 60)}"`)
    throw new Error(`The workbook has several: ${nameFew(names, 10)}.`)
  }
  yield* csvOf(first[1])
}

type Cell = readonly [column: number, literal: string]

function* csvOf(cells: SheetCells): Generator<string> {
  const rows: Cell[][] = []
  let width = 0
  for (const [address, literal] of Object.entries(cells)) {
    const { letters = '', row = '' } = /^(?<letters>[A-Z]{1,3})(?<row>\d{1,7})$/.exec(address)?.groups ?? {}
    const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
    if (column === 0 || column > mostColumns || Number(row) > mostRows)
      throw new Error(`The cell ${address} is beyond the ${mostColumns} columns that are read.`)
    const line = (rows[Number(row) - 1] ??= [])
    line.push([column, literal])
    width = Math.max(width, column)
  }
  const filled = rows.reduce(count => count + 1, 0)
  if (filled * width > mostCells)
    throw new Error(`Its ${filled} rows of ${width} columns are more than the ${mostCells} cells that are read; most may be empty.`)
  let text = ''
  for (let i = 0; i < rows.length; i++) {
    const line = rows[i]
    text += (i === 0 ? '' : '\n') + (line ? lineOf(line, width) : '')
    if (text.length < chunkCharacters) continue
    yield text
    text = ''
  }
  if (text !== '') yield text
}

/** Cells with as many commas between and behind them as a line of that width has. */
function lineOf(line: readonly Cell[], width: number): string {
  let text = ''
  let at = 1
  for (const [column, literal] of line.toSorted(([a], [b]) => a - b)) {
    text += ','.repeat(column - at) + quoted(shown(literal))
    at = column
  }
  return text + ','.repeat(width - at)
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/** What Excel shows of a value that is kept as a Python literal. */
function shown(literal: string): string {
  if (literal.startsWith('"')) return String(JSON.parse(literal))
  if (literal === 'True' || literal === 'False') return literal.toUpperCase()
  const { kind, numbers = '' } = /^datetime\.(?<kind>datetime|time)\((?<numbers>.*)\)$/.exec(literal)?.groups ?? {}
  if (kind === undefined) return literal.replace(/\.0$/, '')
  const parts = numbers.split(', ').map(part => part.padStart(2, '0'))
  const date = kind === 'datetime' ? parts.splice(0, 3).join('-') : ''
  const clock = parts.slice(0, 3).join(':')
  return date === '' ? clock : clock === '00:00:00' ? date : `${date} ${clock}`
}
