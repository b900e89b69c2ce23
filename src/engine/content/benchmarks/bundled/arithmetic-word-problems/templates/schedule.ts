import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const hobbies = ['the violin', 'chess', 'juggling', 'the piano', 'calligraphy', 'a new language', 'the trumpet'] as const

/** Practice on working days and at weekends. */
const practice: Template = draw => {
  const name = draw.pick(people)
  const hobby = draw.pick(hobbies)
  const [weekday, weekend, weeks] = [draw.multiple(5, 15, 60), draw.multiple(5, 30, 120), draw.int(2, 12)]
  const working = new Working()
  const days = working.times('Minutes from Monday to Friday', weekday, 5)
  const rest = working.times('Minutes on Saturday and Sunday', weekend, 2)
  const week = working.plus('Minutes a week', days, rest)
  working.times('Minutes in all', week, weeks)
  return {
    question:
      `${name} practises ${hobby} for ${weekday} minutes on each day from Monday to Friday and for ${weekend} minutes on Saturday and again on Sunday. ` +
      `How many minutes is that in ${weeks} weeks?`,
    steps: working.steps,
  }
}

/** Parts of a programme with breaks between them. */
const programme: Template = draw => {
  const event = draw.pick(['concert', 'film night', 'science show', 'reading', 'quiz evening'])
  const [parts, minutes, pause] = [draw.int(3, 9), draw.int(12, 48), draw.int(4, 15)]
  const working = new Working()
  const playing = working.times('Minutes of the parts', parts, minutes)
  const breaks = working.minus('Breaks', parts, 1)
  const waiting = working.times('Minutes of the breaks', breaks, pause)
  working.plus('Minutes in all', playing, waiting)
  return {
    question: `A ${event} has ${parts} parts of ${minutes} minutes each, with a break of ${pause} minutes between one part and the next. How many minutes pass from the first minute to the last?`,
    steps: working.steps,
  }
}

export const schedule: readonly Template[] = [practice, programme]
