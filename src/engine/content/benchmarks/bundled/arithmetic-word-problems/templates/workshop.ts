import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const products = ['chairs', 'bicycle bells', 'clay bowls', 'kites', 'toy boats', 'lamps', 'wool hats'] as const

/** Output of a week, less what fails the inspection. */
const output: Template = draw => {
  const goods = draw.pick(products)
  const [hourly, hours, days, bad] = [draw.int(6, 40), draw.int(4, 9), draw.int(3, 6), draw.int(7, 60)]
  const working = new Working()
  const daily = working.times('Made in a day', hourly, hours)
  const all = working.times('Made in all days', daily, days)
  working.minus('Good ones', all, bad)
  const ask = draw.pick([`How many good ${goods} are there?`, `How many ${goods} pass the inspection?`])
  return {
    question: `A workshop makes ${hourly} ${goods} an hour and works ${hours} hours a day for ${days} days. At the end ${bad} of the ${goods} fail the inspection. ${ask}`,
    steps: working.steps,
  }
}

/** One order, two workers one after the other, paid by the hour. */
const order: Template = draw => {
  const [name = '', other = ''] = draw.sample(people, 2)
  const goods = draw.pick(products)
  const [rate, hours, otherRate, wage] = [draw.int(4, 15), draw.int(3, 9), draw.int(4, 15), draw.int(12, 30)]
  const ordered = rate * hours + otherRate * draw.int(3, 12)
  const working = new Working()
  const first = working.times(`Made by ${name}`, rate, hours)
  const left = working.minus(`Left for ${other}`, ordered, first)
  const otherHours = working.dividedBy(`Hours of ${other}`, left, otherRate)
  const all = working.plus('Hours of both', hours, otherHours)
  working.times('Wages of both', all, wage)
  return {
    question:
      `An order asks for ${ordered} ${goods}. ${name} makes ${rate} an hour for ${hours} hours, and then ${other} makes the rest at ${otherRate} an hour. ` +
      `Each of them is paid ${wage} dollars an hour. What do both cost together, in dollars?`,
    steps: working.steps,
  }
}

export const workshop: readonly Template[] = [output, order]
