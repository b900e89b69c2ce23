import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const bakes = ['rolls', 'scones', 'pretzels', 'dumplings', 'cookies', 'samosas', 'muffins', 'pasties'] as const
const dishes = ['flat bread', 'pancakes', 'a sponge cake', 'rice pudding', 'shortbread', 'banana bread'] as const

/** Rows on a tray, trays in an oven. */
const trays: Template = draw => {
  const name = draw.pick(people)
  const goods = draw.pick(bakes)
  const [rows, columns, count] = [draw.int(3, 8), draw.int(4, 9), draw.int(3, 12)]
  const working = new Working()
  const perTray = working.times(`${capital(goods)} on a tray`, rows, columns)
  working.times(`${capital(goods)} on all trays`, perTray, count)
  const ask = draw.pick([`How many ${goods} are there altogether?`, `How many ${goods} does ${name} bake?`])
  return {
    question: `A baking tray holds ${rows} rows of ${columns} ${goods}. ${name} fills ${count} trays completely. ${ask}`,
    steps: working.steps,
  }
}

/** A recipe scaled up. */
const recipe: Template = draw => {
  const name = draw.pick(people)
  const dish = draw.pick(dishes)
  const servings = draw.int(2, 8)
  const [flour, sugar] = [draw.multiple(10, 120, 480), draw.multiple(5, 20, 110)]
  const guests = servings * draw.int(2, 7)
  const working = new Working()
  const factor = working.dividedBy('Times the recipe is made', guests, servings)
  const allFlour = working.times('Grams of flour', flour, factor)
  const allSugar = working.times('Grams of sugar', sugar, factor)
  working.plus('Grams of both', allFlour, allSugar)
  return {
    question:
      `A recipe for ${dish} serves ${servings} people and takes ${flour} grams of flour and ${sugar} grams of sugar. ${name} cooks it for ` +
      `${guests} people. How many grams of flour and sugar together does ${name} need?`,
    steps: working.steps,
  }
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

export const baking: readonly Template[] = [trays, recipe]
