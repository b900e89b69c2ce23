import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const plants = ['tulip bulbs', 'strawberry plants', 'lettuce seedlings', 'onion sets', 'marigolds', 'lavender plants'] as const

/** Planting a rectangular bed, some plants being there already. */
const bed: Template = draw => {
  const name = draw.pick(people)
  const plant = draw.pick(plants)
  const [length, width, density, owned] = [draw.int(4, 14), draw.int(2, 6), draw.int(3, 9), draw.int(15, 90)]
  const working = new Working()
  const area = working.times('Square metres of the bed', length, width)
  const wanted = working.times('Plants the bed takes', area, density)
  working.minus('Plants still to buy', wanted, owned)
  return {
    question:
      `A flower bed is ${length} metres long and ${width} metres wide, and each square metre takes ${density} ${plant}. ${name} already has ` +
      `${owned} ${plant}. How many more does ${name} have to buy to fill the bed?`,
    steps: working.steps,
  }
}

/** Panels of a fence around a field with a gate. */
const fence: Template = draw => {
  const place = draw.pick(['A sheep pasture', 'A school garden', 'A chicken yard', 'A tennis court', 'A vegetable plot'])
  const [length, width, gate, panel] = [draw.int(12, 60), draw.int(8, 40), draw.int(2, 6), draw.int(2, 8)]
  const working = new Working()
  const half = working.plus('Length and width', length, width)
  const around = working.times('Metres around', half, 2)
  const fenced = working.minus('Metres to fence', around, gate)
  working.dividedBy('Panels', fenced, panel)
  return {
    question:
      `${place} is a rectangle ${length} metres long and ${width} metres wide. It gets a fence all around except for a gate that is ${gate} ` +
      `metres wide. The fence comes in panels of ${panel} metres. How many panels are needed?`,
    steps: working.steps,
  }
}

export const garden: readonly Template[] = [bed, fence]
