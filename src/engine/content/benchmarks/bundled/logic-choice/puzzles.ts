import type { Draw } from '../../../../tasks/draw.ts'

export interface Puzzle {
  readonly kind: 'ordering' | 'categories' | 'calendar' | 'conditions'
  readonly question: string
  readonly right: string
  /** Three that are wrong. */
  readonly wrong: readonly string[]
}

const people = ['Ana', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ivo', 'Jana'] as const
type Quality = readonly [comparative: string, superlative: string]

const qualities: readonly [Quality, ...Quality[]] = [
  ['taller than', 'tallest'],
  ['older than', 'oldest'],
  ['faster than', 'fastest'],
]
const kinds = ['wugs', 'daxes', 'feps', 'blickets', 'toma', 'gorps', 'zibs', 'lorps'] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const events = [
  'it rains',
  'the alarm rings',
  'the gate is open',
  'the lamp is on',
  'the bell is broken',
  'the train is late',
  'the shop is closed',
] as const

/** One chain of comparisons, told in random order; who stands at a place of it? */
function ordering(draw: Draw): Puzzle {
  const line = draw.sample(people, 5)
  const [relation, superlative] = draw.pick(qualities)
  const told = draw.sample(
    line.slice(0, -1).map((name, i) => `${name} is ${relation} ${line[i + 1]}.`),
    4,
  )
  const place = draw.int(0, 3)
  const right = line[place] ?? ''
  const rank = ['the', 'the second', 'the third', 'the fourth'][place]
  return {
    kind: 'ordering',
    question: `${told.join(' ')} Who is ${rank} ${superlative} of the five?`,
    right,
    wrong: draw.sample(
      line.filter(name => name !== right),
      3,
    ),
  }
}

/** A chain of kinds with one exclusion; what must be true of somebody? */
function categories(draw: Draw): Puzzle {
  const [a = '', b = '', c = '', d = ''] = draw.sample(kinds, 4)
  const name = draw.pick(people)
  const facts = draw.sample([`All ${a} are ${b}.`, `All ${b} are ${c}.`, `No ${c} are ${d}.`, `${name} is one of the ${a}.`], 4)
  const isOf = draw.int(0, 1) === 0
  return {
    kind: 'categories',
    question: `${facts.join(' ')} Which of these must be true?`,
    right: isOf ? `${name} is one of the ${c}.` : `${name} is not one of the ${d}.`,
    wrong: [isOf ? `${name} is one of the ${d}.` : `${name} is not one of the ${c}.`, `All ${c} are ${a}.`, `Some ${d} are ${b}.`],
  }
}

/** Two counts of days from one known day. */
function calendar(draw: Draw): Puzzle {
  const today = draw.int(0, 6)
  const [first, second] = [draw.int(5, 60), draw.int(3, 40)]
  const at = (offset: number) => days[(today + offset) % 7] ?? ''
  const right = at(first + second)
  return {
    kind: 'calendar',
    question: `Today is ${at(0)}. The fair begins in ${first} days, and the concert is ${second} days after the fair begins. On which day of the week is the concert?`,
    right,
    wrong: draw.sample(
      days.filter(day => day !== right),
      3,
    ),
  }
}

/** A chain of conditions whose end is denied; what follows? */
function conditions(draw: Draw): Puzzle {
  const [a = '', b = '', c = '', other = '', later = ''] = draw.sample(events, 5)
  const rules = draw.sample([`If ${a}, then ${b}.`, `If ${b}, then ${c}.`, `If ${other}, then ${c}.`, `If ${c}, then ${later}.`], 4)
  const not = (event: string) => `It is not the case that ${event}.`
  const says = (event: string) => `${event.charAt(0).toUpperCase()}${event.slice(1)}.`
  return draw.int(0, 1) === 0
    ? {
        kind: 'conditions',
        question: `${rules.join(' ')} ${not(c)} Which of these must be true?`,
        right: not(a),
        wrong: [says(b), says(a), not(later)],
      }
    : {
        kind: 'conditions',
        question: `${rules.join(' ')} ${says(a)} Which of these must be true?`,
        right: says(c),
        wrong: [not(b), says(other), not(later)],
      }
}

export const puzzles: readonly ((draw: Draw) => Puzzle)[] = [ordering, categories, calendar, conditions]
