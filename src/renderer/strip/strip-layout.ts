/** How the cells of a strip are laid out: in reading order, all of the same size. Pixels. */
export interface StripLayout {
  readonly cell: number
  readonly columns: number
  readonly rows: number
  readonly width: number
  readonly height: number
}

const sizes = [14, 12, 10, 8, 7, 6, 5, 4, 3, 2, 1]
const mostHeight = 140

/** The largest cells with which all samples fit. At one pixel a cell the strip grows as high as it must. */
export function layoutStrip(samples: number, width: number): StripLayout {
  const of = (cell: number): StripLayout => {
    const columns = Math.max(1, Math.floor(width / cell))
    const rows = Math.max(1, Math.ceil(samples / columns))
    return { cell, columns, rows, width, height: rows * cell }
  }
  return sizes.map(of).find(({ height }) => height <= mostHeight) ?? of(1)
}

/** The sample at a point of the strip, or the nearest one of its row. */
export function sampleAt({ cell, columns, rows }: StripLayout, samples: number, x: number, y: number): number {
  const column = Math.max(0, Math.min(columns - 1, Math.floor(x / cell)))
  const row = Math.max(0, Math.min(rows - 1, Math.floor(y / cell)))
  return Math.min(samples - 1, row * columns + column)
}

/** Rectangles that cover the samples from one to another, both included: at most three. */
export function coverOf({ cell, columns }: StripLayout, from: number, to: number) {
  const firstRow = Math.floor(from / columns)
  const lastRow = Math.floor(to / columns)
  const rectangle = (row: number, start: number, end: number, rows = 1) => ({
    x: start * cell,
    y: row * cell,
    width: (end - start + 1) * cell,
    height: rows * cell,
  })
  const [start, end] = [from - firstRow * columns, to - lastRow * columns]
  if (firstRow === lastRow) return [rectangle(firstRow, start, end)]
  const between = lastRow - firstRow - 1
  return [
    rectangle(firstRow, start, columns - 1),
    ...(between > 0 ? [rectangle(firstRow + 1, 0, columns - 1, between)] : []),
    rectangle(lastRow, 0, end),
  ]
}
