/**
 * CSV after RFC 4180: cells by comma, rows by CRLF, quotes doubled; what others split cells at is quoted too. Every text cell is made harmless to spreadsheets, which would
 * run `=cmd|…` or send cells away by `=HYPERLINK(…)` on opening, and has its control characters written as `\\x1b`. Both change such cells,
 * so JSON is the lossless format.
 */
export type CsvCell = string | number | boolean | null

/** One row with its line end. Null, and a number that is not finite, is an empty cell. */
export function csvRow(cells: readonly CsvCell[]): string {
  return `${cells.map(cell => quote(cellText(cell))).join(',')}\r\n`
}

/** Blanks and zero-width marks that spreadsheets skip before they decide what a cell is. */
const skipped = '[ \\u00a0\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u2064\\u2066-\\u206f\\u3000\\ufeff]*'

/** What makes a spreadsheet see more than text: formula signs, their full-width forms, and the controls that some of them strip. */
const formulaStart = new RegExp(`^${skipped}[=+\\-@|%\\t\\r\\n\\0＝＋－＠｜％]`, 'u')

/** Functions of spreadsheets that fetch, send or start something: none of them may stand anywhere behind a sign. */
const reaching = 'HYPERLINK|WEBSERVICE|IMAGE|IMPORT\\w{1,9}|DDE|RTD'

/** A cell of another sheet. */
const elsewhere = "'[!！]\\$?\\p{L}|[\\p{L}\\d_][!！]\\$?[a-z]{1,3}\\$?[\\d:]"

/** A call before which no two words follow each other, as they do in prose; a single word with a remark in parentheses is prose, too. */
const call = `(?! +(?!(?:${reaching}|CALL|EXEC|REGISTER) )[\\p{L}\\d]+ +[(（])(?:"[^";\\t\\n]*"|(?![\\p{L}\\d,:] +[\\p{L}\\d])[^";\\t\\n])*(?:[\\p{L}\\d_.][(（]|[\\p{L}_.]\\d{0,3} +[(（])`

/** What a formula of a sign needs to do harm; the second is a program that Excel asks for data (DDE). */
const harm = `(?:[^;\\t\\n]*(?:(?:${reaching}) *[(（]|${elsewhere})|[^;\\t\\n|｜]*[|｜][^;\\t\\n]*[!！]|${call})`

/**
 * The same within a cell: a spreadsheet of a country with decimal commas splits rows at semicolons, others at tabs, and both end a row at a
 * line end, since for them no cell begins with the quote. Lists of dashes stay.
 */
const formulaWithin = new RegExp(`([;\\t\\n])(?=["${skipped.slice(1)}(?:[=@＝＠]|[+\\-＋－]${harm}))`, 'giu')

/** A number as this program writes one. A leading plus is not such a number. */
const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** Puts an apostrophe before text that a spreadsheet could run; other text, and plain finite numbers, stay as they are. */
export function neutraliseFormula(text: string): string {
  return formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text
}

/** The same for each part of a cell that a spreadsheet could take for a cell. */
export function neutraliseParts(cell: string): string {
  return neutraliseFormula(cell).replaceAll(formulaWithin, "$1'")
}

function cellText(cell: CsvCell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : ''
  if (typeof cell === 'boolean') return String(cell)
  // UTF-8 has no lone surrogates: an encoder would replace them, so they are replaced here, where it can be seen.
  return showControls(neutraliseParts(cell).toWellFormed())
}

/** Controls other than tab and line ends: programs that show CSV cut texts at them, overwrite them, or obey them as terminals do. */
// oxlint-disable-next-line no-control-regex
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g

function showControls(text: string): string {
  return text.replaceAll(controls, control => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

function quote(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
