/**
 * The cells of a range such as `AA1:AB2`, column by column, as SpreadsheetBench lists them: a range written backwards has none.
 * @throws Error for anything but one cell or two cells with a colon, e.g. whole columns
 */
export function cellsOf(range: string): readonly string[] {
  const corners = range.split(':').map(parseCell)
  const [first, last = first] = corners
  if (!first || !last || corners.length > 2) throw new Error(`${JSON.stringify(range)} is not a range of cells such as A1:B2.`)
  const cells: string[] = []
  for (let column = first.column; column <= last.column; column++)
    for (let row = first.row; row <= last.row; row++) cells.push(`${columnName(column)}${row}`)
  return cells
}

function parseCell(text: string): { column: number; row: number } {
  const [, letters, digits] = /^([A-Za-z]{1,3})(\d{1,7})$/.exec(text.trim()) ?? []
  if (letters === undefined) throw new Error(`${JSON.stringify(text)} is not a cell such as A1.`)
  const column = [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { column, row: Number(digits) }
}

function columnName(column: number): string {
  let name = ''
  for (let rest = column; rest > 0; rest = Math.floor((rest - 1) / 26)) name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** The two scores of a task from its test cases: the share that passed, and 1 only when all did. */
export function softAndHard(passed: readonly number[]): { readonly soft: number; readonly hard: 0 | 1 } {
  const count = passed.filter(value => value === 1).length
  return { soft: count / passed.length, hard: count === passed.length ? 1 : 0 }
}
