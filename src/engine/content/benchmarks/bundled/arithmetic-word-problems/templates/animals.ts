import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const eaters = ['horses', 'goats', 'alpacas', 'donkeys', 'cows', 'camels', 'llamas'] as const
const twoLegged = ['hens', 'ducks', 'geese', 'turkeys', 'ostriches'] as const
const fourLegged = ['sheep', 'rabbits', 'goats', 'pigs', 'cows'] as const

/** Feed of two kinds of animals over some days. */
const feed: Template = draw => {
  const name = draw.pick(people)
  const [first = '', second = ''] = draw.sample(eaters, 2)
  const [count, each, otherCount, otherEach, days] = [draw.int(4, 15), draw.int(3, 12), draw.int(4, 15), draw.int(3, 12), draw.int(4, 21)]
  const working = new Working()
  const one = working.times(`Kilograms for the ${first} each day`, count, each)
  const other = working.times(`Kilograms for the ${second} each day`, otherCount, otherEach)
  const daily = working.plus('Kilograms each day', one, other)
  working.times('Kilograms in all', daily, days)
  return {
    question:
      `${name} keeps ${count} ${first}, which eat ${each} kilograms of hay each a day, and ${otherCount} ${second}, which eat ${otherEach} kilograms ` +
      `each a day. How many kilograms of hay does ${name} need for ${days} days?`,
    steps: working.steps,
  }
}

/** Legs in a yard. */
const legs: Template = draw => {
  const [birds, beasts] = [draw.pick(twoLegged), draw.pick(fourLegged)]
  const [birdCount, beastCount] = [draw.int(8, 60), draw.int(5, 45)]
  const working = new Working()
  const two = working.times(`Legs of the ${birds}`, birdCount, 2)
  const four = working.times(`Legs of the ${beasts}`, beastCount, 4)
  working.plus('Legs in all', two, four)
  const ask = draw.pick(['How many legs do they have altogether?', 'How many legs is that in total?'])
  return { question: `There are ${birdCount} ${birds} and ${beastCount} ${beasts} on a farm. ${ask}`, steps: working.steps }
}

export const animals: readonly Template[] = [feed, legs]
