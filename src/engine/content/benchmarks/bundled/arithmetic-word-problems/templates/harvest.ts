import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const fruits = ['apples', 'olives', 'oranges', 'plums', 'dates', 'mangoes', 'pears', 'cherries'] as const

/** From the trees to the money earned. */
const market: Template = draw => {
  const name = draw.pick(people)
  const fruit = draw.pick(fruits)
  const [trees, yielded, spoiled] = [draw.int(8, 30), draw.int(20, 65), draw.int(15, 80)]
  const [crate, price, wage] = [draw.int(5, 20), draw.int(8, 30), draw.multiple(10, 60, 300)]
  const working = new Working()
  const picked = working.times('Kilograms picked', trees, yielded)
  const good = working.minus('Kilograms that can be sold', picked, spoiled)
  const crates = working.dividedBy('Crates', good, crate)
  const income = working.times('Income', crates, price)
  working.minus('Left after the wages', income, wage)
  return {
    question:
      `${name} picks ${yielded} kilograms of ${fruit} from each of ${trees} trees, but ${spoiled} kilograms are spoiled. The rest is packed into crates ` +
      `of ${crate} kilograms, and each crate sells for ${price} dollars. The helpers get ${wage} dollars altogether. How many dollars are left for ${name}?`,
    steps: working.steps,
  }
}

/** A second amount that is a multiple of the first. */
const twice: Template = draw => {
  const [name = '', other = ''] = draw.sample(people, 2)
  const fruit = draw.pick(fruits)
  const picked = draw.int(35, 180)
  const [factor, word] = draw.pick([
    [2, 'twice'],
    [3, 'three times'],
    [4, 'four times'],
    [5, 'five times'],
  ])
  const working = new Working()
  const more = working.times(`Picked by ${other}`, picked, factor)
  working.plus('Picked by both', picked, more)
  const ask = draw.pick([`How many ${fruit} do the two have together?`, `How many ${fruit} is that for both of them?`])
  return { question: `${name} picks ${picked} ${fruit}. ${other} picks ${word} as many. ${ask}`, steps: working.steps }
}

export const harvest: readonly Template[] = [market, twice]
