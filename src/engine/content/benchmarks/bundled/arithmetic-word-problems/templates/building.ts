import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

/** Tiling several equal walls. */
const tiles: Template = draw => {
  const name = draw.pick(people)
  const room = draw.pick(['kitchen', 'bathroom', 'laundry room', 'station hall', 'bakery'])
  const [rows, columns, walls, missing] = [draw.int(8, 20), draw.int(10, 24), draw.int(2, 4), draw.int(12, 60)]
  const [box, price] = [draw.int(8, 30), draw.int(6, 25)]
  const working = new Working()
  const perWall = working.times('Tiles on a whole wall', rows, columns)
  const all = working.times('Tiles on all walls', perWall, walls)
  const needed = working.minus('Tiles without the openings', all, missing)
  const boxes = working.dividedBy('Boxes', needed, box)
  working.times('Cost', boxes, price)
  return {
    question:
      `${name} tiles ${walls} equal walls of a ${room}. A wall takes ${rows} rows of ${columns} tiles, but windows and doors save ${missing} tiles ` +
      `altogether. Tiles are sold in boxes of ${box} for ${price} dollars a box. What do the tiles cost in dollars?`,
    steps: working.steps,
  }
}

/** Cutting planks into pieces without waste. */
const planks: Template = draw => {
  const material = draw.pick(['plank', 'copper pipe', 'roll of ribbon', 'steel bar', 'bamboo pole'])
  const piece = draw.int(12, 45)
  const [length, count] = [piece * draw.int(4, 12), draw.int(6, 28)]
  const working = new Working()
  const perPlank = working.dividedBy(`Pieces of one ${material}`, length, piece)
  working.times('Pieces in all', perPlank, count)
  return {
    question: `A ${material} is ${length} centimetres long and is cut into pieces of ${piece} centimetres with nothing left over. How many pieces do ${count} of them give?`,
    steps: working.steps,
  }
}

export const building: readonly Template[] = [tiles, planks]
