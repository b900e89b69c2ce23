import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const stationery = ['notebooks', 'pencils', 'erasers', 'markers', 'folders', 'rulers', 'paint brushes', 'glue sticks'] as const
const packed = ['batteries', 'light bulbs', 'candles', 'bottles of water', 'paper plates', 'seed trays', 'towels'] as const

/** Two kinds of goods at two prices. */
const basket: Template = draw => {
  const name = draw.pick(people)
  const [first = '', second = ''] = draw.sample(stationery, 2)
  const [count, price, otherCount, otherPrice] = [draw.int(3, 14), draw.int(2, 9), draw.int(3, 14), draw.int(2, 9)]
  const working = new Working()
  const cost = working.times(`Cost of the ${first}`, count, price)
  const otherCost = working.times(`Cost of the ${second}`, otherCount, otherPrice)
  working.plus('Cost of everything', cost, otherCost)
  const ask = draw.pick([`How many dollars does ${name} spend?`, `What does ${name} pay in all, in dollars?`])
  return {
    question: `${name} buys ${count} ${first} at ${price} dollars each and ${otherCount} ${second} at ${otherPrice} dollars each. ${ask}`,
    steps: working.steps,
  }
}

/** Goods in packs, paid with notes, change wanted. */
const change: Template = draw => {
  const name = draw.pick(people)
  const goods = draw.pick(packed)
  const [size, price] = [draw.int(3, 12), draw.int(4, 15)]
  const needed = size * draw.int(3, 9)
  const value = draw.pick([10, 20, 50])
  // As few notes as will do, as people pay.
  const notes = Math.ceil(((needed / size) * price) / value)
  const working = new Working()
  const packs = working.dividedBy('Packs needed', needed, size)
  const cost = working.times('Cost of the packs', packs, price)
  const paid = working.times('Money handed over', notes, value)
  working.minus('Change', paid, cost)
  return {
    question:
      `A shop sells ${goods} only in packs of ${size}, and a pack costs ${price} dollars. ${name} needs ${needed} ${goods} and pays with ` +
      `${notes} notes of ${value} dollars each. How much change does ${name} get back, in dollars?`,
    steps: working.steps,
  }
}

export const shopping: readonly Template[] = [basket, change]
