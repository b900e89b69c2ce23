import type { Draw } from '../../../../tasks/draw.ts'

export interface Passage {
  readonly text: string
  readonly questions: readonly {
    readonly asks: 'who' | 'when' | 'what' | 'where' | 'how many'
    readonly question: string
    readonly answer: string
  }[]
}

const places = [
  'Marlow',
  'Dunmore',
  'Astwick',
  'Corbin',
  'Fenwick',
  'Halden',
  'Ivarstad',
  'Kelby',
  'Lorne',
  'Netherby',
  'Orrin',
  'Pelham',
] as const
const kinds = ['museum', 'library', 'theatre', 'garden', 'observatory', 'market hall'] as const
const first = ['Agnes', 'Bernard', 'Clara', 'Edmund', 'Flora', 'Gilbert', 'Harriet', 'Isidore', 'Louisa', 'Mortimer'] as const
const last = ['Ashdown', 'Birch', 'Calloway', 'Drummond', 'Everly', 'Foxglove', 'Grantham', 'Holloway', 'Kessler', 'Langley'] as const
const trades = ['baker', 'sailor', 'weaver', 'chemist', 'printer', 'surveyor'] as const
const objects = ['bronze compass', 'painted globe', 'silver flute', 'stone lantern', 'copper kettle', 'ivory comb'] as const
const cities = ['Antwerp', 'Genoa', 'Lisbon', 'Odessa', 'Riga', 'Trieste'] as const
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday'] as const
const streets = ['Mill Lane', 'Harbour Street', 'Castle Road', 'Orchard Walk', 'Station Square'] as const

/** A paragraph about an invented building, and what can be asked of it. No name or number stands for two things. */
export function drawPassage(draw: Draw): Passage {
  const place = draw.pick(places)
  const kind = draw.pick(kinds)
  const [founder = '', keeper = ''] = draw.sample(first, 2)
  const [founderName = '', keeperName = ''] = draw.sample(last, 2)
  const [opened, moved] = [draw.int(1780, 1890), draw.int(1900, 1970)]
  const [street = '', formerStreet = ''] = draw.sample(streets, 2)
  const [home = '', origin = ''] = draw.sample(cities, 2)
  const visitors = draw.int(12, 95) * 100
  const trade = draw.pick(trades)
  const object = draw.pick(objects)
  const day = draw.pick(days)
  const text = [
    `The ${kind} of ${place} was opened in ${opened} by ${founder} ${founderName}, a ${trade} who had come from ${home}.`,
    `At first it stood in ${formerStreet}; after a flood it was moved to ${street} in ${moved}.`,
    `Its best known piece is a ${object} that a traveller brought from ${origin}.`,
    `Today it is looked after by ${keeper} ${keeperName} and has about ${visitors} visitors a year.`,
    `It is closed every ${day}.`,
  ].join(' ')
  const it = `the ${kind} of ${place}`
  return {
    text,
    questions: [
      { asks: 'who', question: `Who opened ${it}?`, answer: `${founder} ${founderName}` },
      { asks: 'when', question: `In which year was ${it} moved?`, answer: String(moved) },
      { asks: 'what', question: `What is the best known piece of ${it}?`, answer: object },
      { asks: 'where', question: `From which city did its best known piece come?`, answer: origin },
      { asks: 'who', question: `Who looks after ${it} today?`, answer: `${keeper} ${keeperName}` },
      { asks: 'how many', question: `About how many visitors does ${it} have a year?`, answer: String(visitors) },
      { asks: 'where', question: `In which street did ${it} stand at first?`, answer: formerStreet },
      { asks: 'when', question: `On which day of the week is ${it} closed?`, answer: day },
    ],
  }
}
