import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const media = ['books', 'records', 'maps', 'magazines', 'audio books', 'comics'] as const

/** A stock that is lent out twice in a day. */
const lending: Template = draw => {
  const goods = draw.pick(media)
  const [shelves, perShelf, morning, afternoon] = [draw.int(6, 18), draw.int(15, 45), draw.int(20, 90), draw.int(20, 90)]
  const working = new Working()
  const stock = working.times(`All ${goods}`, shelves, perShelf)
  const left = working.minus('Left after the morning', stock, morning)
  working.minus('Left after the afternoon', left, afternoon)
  const ask = draw.pick([
    `How many ${goods} are on the shelves in the evening?`,
    `How many ${goods} have not been lent out by closing time?`,
  ])
  return {
    question:
      `A library has ${shelves} shelves with ${perShelf} ${goods} on each. On Saturday it lends out ${morning} ${goods} in the morning and ` +
      `${afternoon} in the afternoon, and nothing is returned. ${ask}`,
    steps: working.steps,
  }
}

/** Days to finish a book. */
const reading: Template = draw => {
  const name = draw.pick(people)
  const kind = draw.pick(['novel', 'travel diary', 'biography', 'collection of stories', 'history of the sea'])
  const [pages, read, daily] = [draw.multiple(4, 180, 620), draw.int(24, 150), draw.int(8, 35)]
  const working = new Working()
  const left = working.minus('Pages left', pages, read)
  working.dividedBy('Days', left, daily)
  return {
    question: `${name} is reading a ${kind} of ${pages} pages and has finished ${read} of them. From tomorrow on ${name} reads ${daily} pages every day. In how many days is the rest done?`,
    steps: working.steps,
  }
}

export const library: readonly Template[] = [lending, reading]
