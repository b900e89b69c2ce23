import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const wishes = ['a bicycle', 'a guitar', 'a telescope', 'a sewing machine', 'a tent', 'a camera', 'a drum kit'] as const
const events = ['a flea market', 'a street concert', 'a cake sale', 'a car wash', 'a puppet show'] as const

/** Saving up for something. */
const goal: Template = draw => {
  const [name = '', aunt = '', uncle = ''] = draw.sample(people, 3)
  const wish = draw.pick(wishes)
  const [wage, spent, weeks, gift] = [draw.int(25, 60), draw.int(6, 22), draw.int(4, 14), draw.multiple(5, 10, 60)]
  const price = draw.multiple(10, 300, 980)
  const working = new Working()
  const weekly = working.minus('Saved in a week', wage, spent)
  const saved = working.times('Saved in all weeks', weekly, weeks)
  const gifts = working.times('Gifts', gift, 2)
  const owned = working.plus('Money so far', saved, gifts)
  working.minus('Still missing', price, owned)
  return {
    question:
      `${name} earns ${wage} dollars a week and spends ${spent} of them. After ${weeks} weeks of saving the rest, ${name} also gets ${gift} dollars ` +
      `from ${aunt} and the same from ${uncle}. How many dollars are still missing for ${wish} that costs ${price} dollars?`,
    steps: working.steps,
  }
}

/** Takings of two days, less the costs, shared equally. */
const share: Template = draw => {
  const event = draw.pick(events)
  const [first, second, costs, friends] = [draw.int(60, 240), draw.int(60, 240), draw.int(15, 90), draw.int(3, 9)]
  const working = new Working()
  const takings = working.plus('Takings', first, second)
  const profit = working.minus('Profit', takings, costs)
  working.dividedBy('Share of each', profit, friends)
  return {
    question:
      `${friends} friends hold ${event}. They take ${first} dollars on the first day and ${second} dollars on the second, and the material cost ` +
      `them ${costs} dollars. They share the profit equally. How many dollars does each of them get?`,
    steps: working.steps,
  }
}

export const savings: readonly Template[] = [goal, share]
