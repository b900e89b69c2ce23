import { z } from 'zod'
import type { Action, EnvironmentFamily, Simulation } from '../../environment.ts'
import type { Task } from '../../../../tasks/task.ts'
import { familyDefinition } from '../family.ts'
import { generate } from './generate.ts'
import { at, type Cell, type Direction, directions, find, type Grid, step } from './grid.ts'

const seed = 20261101
const version = `1.0.0-seed${seed}`
const maxTurns = 24
const Setup = z.object({ setup: z.object({ rows: z.array(z.string()) }) })
const Move = z.object({ direction: z.enum(['north', 'east', 'south', 'west']), steps: z.int() })

const rules = [
  'You stand in a walled room, drawn as a grid. # is a wall, . is floor, S is where you start, K is a key, D is the locked door out.',
  'North is up, east is right. You pick the key up by stepping onto it. The door lets you pass only with the key; stepping onto it then ends the task.',
  `You have ${maxTurns} turns. A straight line of several steps is one move.`,
].join('\n')

export const gridPuzzle: EnvironmentFamily = {
  id: '01934f00-0000-7000-8000-000000000001',
  version,
  maxTurns,
  observationBytes: 2_000,
  definition: familyDefinition({
    slug: 'grid-puzzle',
    title: 'Grid puzzle',
    summary: 'Find the way through a drawn room: to the key first, then to the door.',
    description:
      'Whether a model can plan a path on a map and track its position over many turns. The whole room is in the first message; each move ' +
      'returns the current position. The goal is reached when the model has left by the door, however long its way was within its turns.',
    howMade:
      'Rooms of 7 × 7 to 9 × 9 cells with walls drawn from a seed. A room counts only when a breadth-first search finds a way of 6 to 16 straight legs ' +
      'from start to key to door; that way is the reference. The seed is part of the version.',
    knownLimits: [
      'One kind of room: no one-way passages, no moving parts, one key.',
      'A model that computes a breadth-first search in its answer solves it without any exploration.',
      'Whether the way was short does not count, only whether it led out.',
    ],
    capabilities: ['planning', 'tool use'],
    rules,
    maxTurns,
    breakdowns: ['size'],
  }),
  tools: [
    {
      name: 'move',
      description: 'Walk in a straight line. You stop in front of a wall or of the locked door.',
      parameters: [
        { name: 'direction', type: 'string', description: 'Where to', values: directions },
        { name: 'steps', type: 'integer', description: 'How far, 1 to 9' },
      ],
    },
    { name: 'look', description: 'Says where you are, what you carry and what is around you.', parameters: [] },
  ],
  content: () => generate(version, seed),
  start: task => new GridWorld(task),
  candidates: () => ({ direction: directions, steps: [1, 2, 3] }),
}

class GridWorld implements Simulation {
  readonly #grid: Grid
  #cell: Cell
  #hasKey = false
  #isOut = false

  constructor({ metadata }: Task) {
    this.#grid = Setup.parse(metadata).setup
    this.#cell = find(this.#grid, 'S')
  }

  get over(): boolean {
    return this.#isOut
  }

  act({ tool, arguments: given }: Action): string {
    if (tool === 'look') return this.#describe()
    const move = Move.safeParse(given)
    if (!move.success || move.data.steps < 1 || move.data.steps > 9) return '"steps" must be a whole number from 1 to 9.'
    const { direction, steps } = move.data
    for (let taken = 0; taken < steps; taken++) {
      const obstacle = this.#advance(direction)
      if (obstacle !== null) return `After ${taken} steps ${obstacle}. ${this.#describe()}`
      if (this.#isOut) return 'You are out.'
    }
    return `${steps} steps ${direction}. ${this.#describe()}`
  }

  state() {
    return { out: this.#isOut, key: this.#hasKey, row: this.#cell.row, column: this.#cell.column }
  }

  /** Null when the step could be taken. */
  #advance(direction: Direction): string | null {
    const next = step(this.#cell, direction)
    const sign = at(this.#grid, next)
    if (sign === '#') return 'a wall is in the way'
    if (sign === 'D' && !this.#hasKey) return 'the locked door is in the way'
    this.#cell = next
    if (sign === 'K') this.#hasKey = true
    if (sign === 'D') this.#isOut = true
    return null
  }

  #describe(): string {
    const around = directions.map(direction => `${direction}: ${this.#name(step(this.#cell, direction))}`).join(', ')
    const where = `You stand in row ${this.#cell.row + 1}, column ${this.#cell.column + 1}`
    return `${where}${this.#hasKey ? ' with the key' : ''}. ${around}.`
  }

  #name(cell: Cell): string {
    const sign = at(this.#grid, cell)
    if (sign === 'K') return this.#hasKey ? 'floor' : 'key'
    return sign === '#' ? 'wall' : sign === 'D' ? 'door' : 'floor'
  }
}
