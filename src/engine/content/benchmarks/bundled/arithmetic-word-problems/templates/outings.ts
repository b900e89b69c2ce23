import { type Template, Working } from '../problem.ts'

const sights = ['a lighthouse', 'a planetarium', 'an old mine', 'a bird reserve', 'a castle', 'a science museum'] as const

/** Buses for a school. */
const buses: Template = draw => {
  const sight = draw.pick(sights)
  const [classes, pupils, teachers, price] = [draw.int(3, 12), draw.int(18, 30), draw.int(4, 24), draw.multiple(5, 90, 260)]
  const seats = draw.int(20, 50)
  const working = new Working()
  const children = working.times('Pupils', classes, pupils)
  const all = working.plus('Travellers', children, teachers)
  const count = working.dividedBy('Buses', all, seats)
  working.times('Cost of the buses', count, price)
  return {
    question:
      `${classes} classes of ${pupils} pupils each visit ${sight} together with ${teachers} teachers. Every bus has ${seats} seats for them and costs ${price} dollars, ` +
      'and every seat is taken. What do the buses cost in dollars?',
    steps: working.steps,
  }
}

/** Entrance for adults and for children at half price, with a discount for the group. */
const tickets: Template = draw => {
  const sight = draw.pick(sights)
  const [adults, children, price, discount] = [draw.int(3, 16), draw.int(8, 40), draw.multiple(2, 6, 28), draw.int(5, 40)]
  const working = new Working()
  const half = working.dividedBy('Price for a child', price, 2)
  const grown = working.times('Cost for the adults', adults, price)
  const young = working.times('Cost for the children', children, half)
  const all = working.plus('Cost for everyone', grown, young)
  working.minus('Cost with the discount', all, discount)
  return {
    question:
      `A ticket for ${sight} costs ${price} dollars, and children pay half. A group of ${adults} adults and ${children} children gets ${discount} dollars off the ` +
      'whole sum. How many dollars does the group pay?',
    steps: working.steps,
  }
}

export const outings: readonly Template[] = [buses, tickets]
