import { at } from './sample.ts'

export type Matrix = readonly (readonly number[])[]

/** Inverse of a small square matrix that has one, by Gauss-Jordan elimination with row pivots. */
export function invertMatrix(matrix: Matrix): number[][] {
  const size = matrix.length
  const rows = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))])
  for (let column = 0; column < size; column++) {
    const pivotRow = at(rows, pivotPosition(rows, column))
    rows[rows.indexOf(pivotRow)] = at(rows, column)
    const divisor = at(pivotRow, column)
    const scaled = pivotRow.map(entry => entry / divisor)
    rows[column] = scaled
    rows.forEach((row, i) => {
      if (i === column) return
      const factor = at(row, column)
      rows[i] = row.map((entry, j) => entry - factor * at(scaled, j))
    })
  }
  return rows.map(row => row.slice(size))
}

/** The row, from the diagonal down, whose entry in the column is the largest in size. */
function pivotPosition(rows: Matrix, column: number): number {
  let best = column
  for (let row = column + 1; row < rows.length; row++) {
    if (Math.abs(at(at(rows, row), column)) > Math.abs(at(at(rows, best), column))) best = row
  }
  return best
}
