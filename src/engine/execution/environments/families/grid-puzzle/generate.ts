import type { BenchmarkContent } from '../../../../tasks/definition.ts'
import { type Draw, drawFrom } from '../../../../tasks/draw.ts'
import type { Task } from '../../../../tasks/task.ts'
import { find, type Grid, type Leg, shortestWay } from './grid.ts'

const taskCount = 120
/** Legs of the shortest way: fewer could be walked by luck, more do not fit the turns. */
const legs = { least: 6, most: 16 }
const mostDraws = 20_000

/** @param seed 32-bit integer; part of the version, since another seed gives other rooms */
export function generate(version: string, seed: number): BenchmarkContent {
  const draw = drawFrom(seed)
  const seen = new Set<string>()
  const tasks: Task[] = []
  for (let i = 0; tasks.length < taskCount; i++) {
    if (i > mostDraws) throw new Error(`Only ${tasks.length} sound rooms in ${mostDraws} draws.`)
    const size = 7 + (tasks.length % 3)
    const grid = drawGrid(draw, size)
    const way = wayThrough(grid)
    const drawn = grid.rows.join('\n')
    if (!way || way.length < legs.least || way.length > legs.most || seen.has(drawn)) continue
    seen.add(drawn)
    tasks.push(taskOf(grid, way, size, tasks.length + 1))
  }
  return { version, tasks, shots: [] }
}

function drawGrid(draw: Draw, size: number): Grid {
  const cells = Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column): string => {
      const isEdge = row === 0 || column === 0 || row === size - 1 || column === size - 1
      return isEdge || draw.int(1, 100) <= 30 ? '#' : '.'
    }),
  )
  const floor = cells.flatMap((line, row) => line.flatMap((sign, column) => (sign === '.' ? [{ row, column }] : [])))
  if (floor.length < 3) return { rows: cells.map(line => line.join('')) }
  const places = draw.sample(floor, 3)
  for (const [i, { row, column }] of places.entries()) cells[row]?.splice(column, 1, 'SKD'[i] ?? '.')
  return { rows: cells.map(line => line.join('')) }
}

/** Start to key to door. */
function wayThrough(grid: Grid): Leg[] | null {
  if (!['S', 'K', 'D'].every(sign => grid.rows.some(line => line.includes(sign)))) return null
  const toKey = shortestWay(grid, find(grid, 'S'), find(grid, 'K'))
  const toDoor = shortestWay(grid, find(grid, 'K'), find(grid, 'D'))
  return toKey && toDoor ? [...toKey, ...toDoor] : null
}

function taskOf(grid: Grid, way: readonly Leg[], size: number, number: number): Task {
  return {
    id: `grid-${String(number).padStart(3, '0')}`,
    split: 'test',
    fields: { instruction: `Get out of this room.\n\n${grid.rows.join('\n')}` },
    targets: ['out'],
    choices: null,
    metadata: {
      size: `${size} × ${size}`,
      setup: { rows: grid.rows },
      goal: { out: true },
      reference_actions: way.map(({ direction, steps }) => ({ tool: 'move', arguments: { direction, steps } })),
    },
    capabilities: ['planning', 'tool use'],
    dependsOn: [],
  }
}
