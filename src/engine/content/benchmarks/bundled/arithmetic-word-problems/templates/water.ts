import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

/** A tank that fills and leaks. */
const tank: Template = draw => {
  const place = draw.pick(['water tower', 'swimming pool', 'fish pond', 'fountain basin', 'rain tank'])
  const [pump, leak, present] = [draw.int(14, 60), draw.int(2, 12), draw.multiple(10, 100, 600)]
  const capacity = draw.multiple(10, 800, 4000)
  const working = new Working()
  const missing = working.minus('Litres missing', capacity, present)
  const gain = working.minus('Litres gained a minute', pump, leak)
  working.dividedBy('Minutes', missing, gain)
  return {
    question:
      `A ${place} holds ${capacity} litres and has ${present} litres in it. A pump brings in ${pump} litres a minute while ${leak} litres a minute leak out. ` +
      'After how many minutes is it full?',
    steps: working.steps,
  }
}

/** Water for plants over some weeks from a store that runs down. */
const barrels: Template = draw => {
  const name = draw.pick(people)
  const [barrelCount, litres, cans, can, days] = [
    draw.int(3, 9),
    draw.multiple(10, 120, 300),
    draw.int(3, 9),
    draw.int(6, 15),
    draw.int(4, 14),
  ]
  const working = new Working()
  const store = working.times('Litres in the barrels', barrelCount, litres)
  const daily = working.times('Litres used a day', cans, can)
  const used = working.times('Litres used in all', daily, days)
  working.minus('Litres left', store, used)
  return {
    question:
      `${name} has ${barrelCount} full barrels of ${litres} litres and waters the plants every day with ${cans} cans of ${can} litres. No rain falls. ` +
      `How many litres are left in the barrels after ${days} days?`,
    steps: working.steps,
  }
}

export const water: readonly Template[] = [tank, barrels]
