export type Direction = 'north' | 'east' | 'south' | 'west'

export interface Cell {
  readonly row: number
  readonly column: number
}

/** A walled room: `#` wall, `.` floor, `S` start, `K` key, `D` the locked door that is the way out. */
export interface Grid {
  readonly rows: readonly string[]
}

export const directions: readonly Direction[] = ['north', 'east', 'south', 'west']

export function step({ row, column }: Cell, direction: Direction): Cell {
  switch (direction) {
    case 'north':
      return { row: row - 1, column }
    case 'east':
      return { row, column: column + 1 }
    case 'south':
      return { row: row + 1, column }
    case 'west':
      return { row, column: column - 1 }
  }
}

/** The cell's sign; wall beyond the edges. */
export function at({ rows }: Grid, { row, column }: Cell): string {
  return rows[row]?.[column] ?? '#'
}

/** Position of that sign. @throws Error when the grid lacks it */
export function find({ rows }: Grid, sign: string): Cell {
  const row = rows.findIndex(line => line.includes(sign))
  if (row === -1) throw new Error(`The grid has no ${sign}.`)
  return { row, column: rows[row]?.indexOf(sign) ?? 0 }
}

export interface Leg {
  readonly direction: Direction
  readonly steps: number
}

/** The way with the fewest steps, as straight legs; null where there is none. The door is passed only as the destination. */
export function shortestWay(grid: Grid, from: Cell, to: Cell): Leg[] | null {
  const key = ({ row, column }: Cell) => row * 1000 + column
  const cameBy = new Map<number, { readonly before: Cell; readonly direction: Direction } | null>([[key(from), null]])
  const queue = [from]
  for (let cell = queue.shift(); cell; cell = queue.shift()) {
    for (const direction of directions) {
      const next = step(cell, direction)
      const sign = at(grid, next)
      const isDestination = key(next) === key(to)
      if (cameBy.has(key(next)) || sign === '#' || (sign === 'D' && !isDestination)) continue
      cameBy.set(key(next), { before: cell, direction })
      if (!isDestination) queue.push(next)
    }
  }
  if (!cameBy.has(key(to))) return null
  const steps: Direction[] = []
  for (let back = cameBy.get(key(to)); back; back = cameBy.get(key(back.before))) steps.unshift(back.direction)
  return steps.reduce<Leg[]>((legs, direction) => {
    const last = legs.at(-1)
    return last?.direction === direction ? [...legs.slice(0, -1), { direction, steps: last.steps + 1 }] : [...legs, { direction, steps: 1 }]
  }, [])
}
