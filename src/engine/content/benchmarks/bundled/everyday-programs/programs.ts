import type { Draw } from '../../../../tasks/draw.ts'

/** A small program in one sentence. `expected` is the same rule in this language: it writes the tests, and so checks the reference. */
export interface Program {
  readonly name: string
  readonly parameters: string
  readonly request: string
  readonly body: string
  readonly wrongBody: string
  readonly topic: string
  arguments(draw: Draw): readonly Argument[]
  /** An input on which the wrong body is wrong. */
  readonly telling: readonly Argument[]
  expected(args: readonly Argument[]): Argument
}

export type Argument = number | string | boolean | readonly Argument[]

const numbers = (draw: Draw, min: number, max: number): number[] => Array.from({ length: draw.int(3, 8) }, () => draw.int(min, max))
const words = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron', 'inlet', 'jetty', 'kelp', 'lodge'] as const

/** The first argument, known to be what its `arguments` draw. */
const list = (args: readonly Argument[]): number[] => (Array.isArray(args[0]) ? args[0].map(Number) : [])
const text = (args: readonly Argument[]): string => String(args[0])

type Kind = (variant: number) => Program

const inRange: Kind = variant => {
  const low = 2 + variant
  const high = low + 5 + (variant % 4) * 3
  return {
    name: `count_between_${low}_and_${high}`,
    parameters: 'values',
    request: `Write a function that counts the numbers in a list that are at least ${low} and at most ${high}.`,
    body: `    return sum(${low} <= value <= ${high} for value in values)`,
    wrongBody: `    return sum(${low} < value < ${high} for value in values)`,
    topic: 'counting',
    arguments: draw => [numbers(draw, 0, high + 4)],
    telling: [[low, high, low - 1, high + 1]],
    expected: args => list(args).filter(value => value >= low && value <= high).length,
  }
}

const recurrence: Kind = variant => {
  const factor = 2 + (variant % 4)
  const add = 1 + variant
  return {
    name: `term_times_${factor}_plus_${add}`,
    parameters: 'n',
    request: `Write a function that returns term n of the sequence whose term 0 is 1 and whose every next term is ${factor} times the one before, plus ${add}.`,
    body: `    term = 1\n    for _ in range(n):\n        term = ${factor} * term + ${add}\n    return term`,
    wrongBody: `    term = 1\n    for _ in range(1, n):\n        term = ${factor} * term + ${add}\n    return term`,
    topic: 'sequences',
    arguments: draw => [draw.int(0, 9)],
    telling: [1],
    expected: args => Array.from({ length: Number(args[0]) }).reduce<number>(term => factor * term + add, 1),
  }
}

const ending: Kind = variant => {
  const first = words[variant % words.length]?.[0] ?? 'a'
  const most = 3 + (variant % 5)
  return {
    name: `starts_with_${first}_up_to_${most}_letters`,
    parameters: 'word',
    request: `Write a function that tells whether a word begins with the letter "${first}" in either case and has at most ${most} letters. Return True or False.`,
    body: `    return word[:1].lower() == '${first}' and len(word) <= ${most}`,
    wrongBody: `    return word[:1] == '${first}' and len(word) <= ${most}`,
    topic: 'text',
    arguments: draw => {
      const word = draw.pick(words).slice(0, draw.int(1, 5))
      return [draw.int(0, 1) === 1 ? first + word : word]
    },
    telling: [`${first.toUpperCase()}b`],
    expected: args => text(args).slice(0, 1).toLowerCase() === first && text(args).length <= most,
  }
}

const difference: Kind = variant => {
  const apart = 1 + variant
  return {
    name: `pairs_${apart}_apart`,
    parameters: 'values',
    request: `Write a function that counts the pairs of positions i < j in a list whose numbers differ by exactly ${apart}, whichever is larger.`,
    body: `    return sum(abs(values[i] - values[j]) == ${apart} for i in range(len(values)) for j in range(i + 1, len(values)))`,
    wrongBody: `    return sum(values[j] - values[i] == ${apart} for i in range(len(values)) for j in range(i + 1, len(values)))`,
    topic: 'counting',
    arguments: draw => [numbers(draw, 0, apart + 6)],
    telling: [[apart + 1, 1]],
    expected: args => list(args).reduce((sum, a, i, all) => sum + all.slice(i + 1).filter(b => Math.abs(a - b) === apart).length, 0),
  }
}

const keepLast: Kind = variant => {
  const count = 1 + (variant % 6)
  const factor = 2 + Math.floor(variant / 6)
  return {
    name: `last_${count}_times_${factor}`,
    parameters: 'values',
    request: `Write a function that returns the last ${count} number${count === 1 ? '' : 's'} of a list, each multiplied by ${factor}, in their order. A shorter list is taken whole.`,
    body: `    return [value * ${factor} for value in values[-${count}:]]`,
    wrongBody: `    return [value * ${factor} for value in values[:${count}]]`,
    topic: 'lists',
    arguments: draw => [numbers(draw, 0, 9)],
    telling: [[1, 2, 3, 4, 5, 6, 7, 8]],
    expected: args =>
      list(args)
        .slice(-count)
        .map(value => value * factor),
  }
}

const vowels: Kind = variant => {
  const letters = ['aeiou', 'bcdfg', 'rstln', 'hjkmp', 'aem', 'iot'][variant % 6] ?? 'aeiou'
  const mark = ['*', '#', '-'][Math.floor(variant / 6)] ?? '*'
  const name = ['star', 'hash', 'dash'][Math.floor(variant / 6)] ?? 'star'
  return {
    name: `replace_${letters}_by_${name}`,
    parameters: 'text',
    request: `Write a function that replaces every letter of a text that is one of "${letters}" by "${mark}", whatever its case, and leaves the rest as it is.`,
    body: `    return ''.join('${mark}' if c.lower() in '${letters}' else c for c in text)`,
    wrongBody: `    return ''.join('${mark}' if c in '${letters}' else c for c in text)`,
    topic: 'text',
    arguments: draw => [`${draw.pick(words)} ${draw.pick(words).toUpperCase()}`],
    telling: [letters.toUpperCase()],
    expected: args => [...text(args)].map(c => (letters.includes(c.toLowerCase()) ? mark : c)).join(''),
  }
}

const variants = 17

/** Kinds in turn, so that any first part of the list covers every topic. */
export const programs: readonly Program[] = Array.from({ length: variants }, (_, variant) =>
  [inRange, recurrence, ending, difference, keepLast, vowels].map(kind => kind(variant)),
).flat()
