/** Beyond this many rows or columns an assignment would take seconds. */
const largest = 500

/**
 * The pairing of rows with columns, each used at most once, that has the largest sum; the Hungarian method in O(n³).
 * Kuhn (1955); the form with potentials is Jonker and Volgenant's.
 * @param weights one row per item on the left, all of the same length
 * @returns for each row its column, or -1 where there are fewer columns than rows
 * @throws RangeError above 500 rows or columns
 */
export function bestAssignment(weights: readonly (readonly number[])[]): readonly number[] {
  const columns = weights[0]?.length ?? 0
  const size = Math.max(weights.length, columns)
  if (size > largest) throw new RangeError(`There are ${size} items to pair; at most ${largest} can be.`)
  const cost = (row: number, column: number) => -(weights[row]?.[column] ?? 0)
  const rowPotential = new Float64Array(size + 1)
  const columnPotential = new Float64Array(size + 1)
  const rowOf = new Int32Array(size + 1).fill(-1)
  for (let row = 0; row < size; row++) assignRow(row, size, cost, rowPotential, columnPotential, rowOf)
  const assigned = weights.map(() => -1)
  for (let column = 0; column < columns; column++) {
    const row = rowOf[column] ?? -1
    if (row >= 0 && row < weights.length) assigned[row] = column
  }
  return assigned
}

/** Adds one row to the pairing along the cheapest augmenting path; the last column means "not yet paired". */
function assignRow(
  row: number,
  size: number,
  cost: (row: number, column: number) => number,
  rowPotential: Float64Array,
  columnPotential: Float64Array,
  rowOf: Int32Array,
): void {
  const start = size
  const shortest = new Float64Array(size).fill(Infinity)
  const previous = new Int32Array(size).fill(start)
  const visited = new Uint8Array(size + 1)
  rowOf[start] = row
  let column = start
  while ((rowOf[column] ?? -1) >= 0) {
    visited[column] = 1
    const current = rowOf[column] ?? 0
    let delta = Infinity
    let next = start
    for (let j = 0; j < size; j++) {
      if (visited[j]) continue
      const reduced = cost(current, j) - (rowPotential[current] ?? 0) - (columnPotential[j] ?? 0)
      if (reduced < (shortest[j] ?? 0)) {
        shortest[j] = reduced
        previous[j] = column
      }
      if ((shortest[j] ?? 0) < delta) {
        delta = shortest[j] ?? 0
        next = j
      }
    }
    for (let j = 0; j <= size; j++) {
      if (visited[j]) {
        const paired = rowOf[j] ?? 0
        rowPotential[paired] = (rowPotential[paired] ?? 0) + delta
        columnPotential[j] = (columnPotential[j] ?? 0) - delta
      } else if (j < size) shortest[j] = (shortest[j] ?? 0) - delta
    }
    column = next
  }
  while (column !== start) {
    const before = previous[column] ?? start
    rowOf[column] = rowOf[before] ?? -1
    column = before
  }
  rowOf[start] = -1
}
