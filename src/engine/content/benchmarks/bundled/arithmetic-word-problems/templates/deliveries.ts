import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

/** A round with returns. */
const round: Template = draw => {
  const name = draw.pick(people)
  const goods = draw.pick(['parcels', 'newspapers', 'letters', 'milk crates', 'flyers'])
  const [loaded, streets, each, returned] = [draw.int(120, 480), draw.int(4, 12), draw.int(6, 28), draw.int(5, 30)]
  const working = new Working()
  const delivered = working.times('Handed out', streets, each)
  const left = working.minus('Left on the cart', loaded, delivered)
  working.plus('On the cart in the end', left, returned)
  return {
    question:
      `${name} sets out with ${loaded} ${goods} on a cart and leaves ${each} of them in each of ${streets} streets. On the way back ${name} has to take ` +
      `${returned} ${goods} back. How many ${goods} are on the cart in the end?`,
    steps: working.steps,
  }
}

/** Trips of a lorry that carries a fixed number of boxes. */
const trips: Template = draw => {
  const cargo = draw.pick(['bricks', 'jars of honey', 'school books', 'bags of rice', 'melons'])
  const [box, boxes, count, minutes] = [draw.int(6, 24), draw.int(10, 40), draw.int(3, 9), draw.int(15, 50)]
  const working = new Working()
  const perTrip = working.times('Carried in a trip', box, boxes)
  const trucks = working.dividedBy('Trips', perTrip * count, perTrip)
  working.times('Minutes', trucks, minutes)
  return {
    question:
      `A van carries ${boxes} boxes on a trip, and a box holds ${box} ${cargo}. There are ${perTrip * count} ${cargo} to move, and a trip there and back takes ` +
      `${minutes} minutes. How many minutes does the van need for everything?`,
    steps: working.steps,
  }
}

export const deliveries: readonly Template[] = [round, trips]
