import { people } from '../people.ts'
import { type Template, Working } from '../problem.ts'

const teams = ['the Otters', 'the Comets', 'the Harbour team', 'the Falcons', 'the Valley team', 'the Badgers', 'the Lanterns'] as const

/** A lead after throws worth two and three points. */
const lead: Template = draw => {
  const [team = '', rival = ''] = draw.sample(teams, 2)
  const [twos, threes, against] = [draw.int(12, 32), draw.int(3, 14), draw.int(25, 70)]
  const working = new Working()
  const small = working.times('Points from two-point throws', twos, 2)
  const large = working.times('Points from three-point throws', threes, 3)
  const total = working.plus('Points of the winners', small, large)
  working.minus('Lead', total, against)
  return {
    question:
      `In a basketball game ${team} score with ${twos} throws worth two points and ${threes} throws worth three points. ` +
      `Their opponents, ${rival}, end with ${against} points. By how many points do ${team} win?`,
    steps: working.steps,
  }
}

/** Lengths of a pool over several days. */
const training: Template = draw => {
  const name = draw.pick(people)
  const [way, unit, metres] = draw.pick([
    ['swims', 'lengths of a pool', 25],
    ['swims', 'lengths of a pool', 50],
    ['rows', 'lengths of a lake', 600],
    ['runs', 'laps of a track', 300],
    ['runs', 'laps of a track', 400],
    ['cycles', 'laps of a park', 900],
  ])
  const [laps, days] = [draw.int(3, 24), draw.int(3, 9)]
  const working = new Working()
  const daily = working.times('Metres a day', laps, metres)
  working.times('Metres in all', daily, days)
  return {
    question: `Every day ${name} ${way} ${laps} ${unit} that is ${metres} metres long. How many metres is that in ${days} days?`,
    steps: working.steps,
  }
}

export const sports: readonly Template[] = [lead, training]
