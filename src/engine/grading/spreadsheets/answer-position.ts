import { cellsOf } from '../scorers/spreadsheetbench/cell-range.ts'
import type { SheetCells, Workbook } from './read-workbook.ts'
import { trimEndOf } from '../../../lib/trim-end.ts'

/** Most cells of one task that are compared; whole columns written out would be millions. */
const mostCells = 200_000

/**
 * The cells that an answer position of SpreadsheetBench names, with what a workbook holds there; `None` where it holds nothing.
 * The data has stray quotes, which are removed at both ends of every part, as upstream does.
 * @throws Error when a part is no range, or the workbook lacks a sheet
 */
export function answerCells(workbook: Workbook, position: string): Record<string, SheetCells> {
  const answer: Record<string, Record<string, string>> = {}
  let count = 0
  for (const part of position.split(',')) {
    const [before, after] = part.split('!')
    const sheet = after === undefined ? ([...workbook.keys()][0] ?? '') : unquote(before ?? '')
    const cells = workbook.get(sheet)
    if (!cells) throw new Error(`The workbook has no sheet "${sheet}".`)
    const wanted = (answer[sheet] ??= {})
    for (const address of cellsOf(unquote(after ?? before ?? ''))) {
      if (++count > mostCells) throw new Error(`The answer position names more than ${mostCells} cells.`)
      wanted[address] = cells[address] ?? 'None'
    }
  }
  return answer
}

function unquote(text: string): string {
  return trimEndOf(text.trim(), /'/).replace(/^'+/, '')
}
