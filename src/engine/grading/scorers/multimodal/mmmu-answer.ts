import { parseFloatText, roundHalfEven } from '../python/numbers.ts'
import { splitWords, strip } from '../python/strings.ts'

interface Choice {
  readonly letter: string
  readonly text: string
}

/** The letter that a reply names: in brackets, else between spaces, else by the text of a choice; the last of several. Null for none. */
export function parseChoice(reply: string, choices: readonly Choice[]): string | null {
  let text = reply
  for (const mark of [',', '.', '!', '?', ';', ':', "'"]) text = strip(text, mark)
  text = ` ${text} `
  const lower = text.toLowerCase()
  const inBrackets = found(choices, ({ letter }) => text.lastIndexOf(`(${letter})`))
  const alone = inBrackets.length > 0 ? inBrackets : found(choices, ({ letter }) => text.lastIndexOf(` ${letter} `))
  const named =
    alone.length > 0 || splitWords(text).length <= 5 ? alone : found(choices, choice => lower.lastIndexOf(choice.text.toLowerCase()))
  const [first, ...others] = named
  return first ? others.reduce((last, next) => (next.at > last.at ? next : last), first).letter : null
}

function found(choices: readonly Choice[], placeOf: (choice: Choice) => number): { readonly letter: string; readonly at: number }[] {
  return choices.map(choice => ({ letter: choice.letter, at: placeOf(choice) })).filter(({ at }) => at >= 0)
}

const indicators = ['could be ', 'so ', 'is ', 'thus ', 'therefore ', 'final ', 'answer ', 'result ']
const trivial: ReadonlySet<string> = new Set([':', ',', '.', '!', '?', ';', "'"])
/** Characters of a candidate in which numbers are looked for; the patterns take time that grows with the square of a run of digits. */
const mostCharacters = 5000

/** Candidates of an open answer, texts in lower case and numbers of two decimals. */
export function parseOpen(reply: string): readonly (string | number)[] {
  const keys = keyParts(reply)
  return [...keys, ...keys.flatMap(numbersIn)].flatMap(normalized)
}

/** What follows the words that announce an answer, of each line; in the last line also what follows an equals sign. */
function keyParts(reply: string): string[] {
  const text = strip(strip(reply), '.').toLowerCase()
  const lines = text.split('\n')
  const keys = lines.flatMap((line, i) => {
    let shortest = ''
    for (const indicator of i === lines.length - 1 ? [...indicators, '='] : indicators) {
      if (!line.includes(indicator)) continue
      const tail = strip(line.slice(line.lastIndexOf(indicator) + indicator.length))
      if (shortest === '' || tail.length < shortest.length) shortest = tail
    }
    return shortest === '' || trivial.has(shortest) ? [] : [shortest]
  })
  return keys.length === 0 ? [text] : keys
}

const word = String.raw`[\p{L}\p{N}_]`
const withCommas = new RegExp(String.raw`-?(?<!${word})\p{Nd}{1,3}(?:,\p{Nd}{3})+(?!${word})`, 'gu')
const scientific = /-?\p{Nd}+(?:\.\p{Nd}+)?[eE][+-]?\p{Nd}+/gu
const simple = new RegExp(String.raw`-?(?:\p{Nd}+\.\p{Nd}+|\.\p{Nd}+|\p{Nd}+(?!${word}))(?![eE][+-]?\p{Nd}+)(?![,\p{Nd}])`, 'gu')

function numbersIn(text: string): string[] {
  const part = text.slice(-mostCharacters)
  return [withCommas, scientific, simple].flatMap(pattern => part.match(pattern) ?? [])
}

function normalized(text: string): readonly (string | number)[] {
  const trimmed = strip(text)
  const number = parseFloatText(trimmed.replaceAll(',', ''))
  if (number !== null) return [roundHalfEven(number, 2)]
  const lower = trimmed.toLowerCase()
  return Array.from(lower).length === 1 ? [` ${lower}`, `${lower} `] : [lower]
}

/** Whether a candidate is a reference, or contains one that is text. */
export function isOpenAnswer(candidates: readonly (string | number)[], targets: readonly string[]): boolean {
  const wanted = targets.flatMap(normalized)
  return candidates.some(candidate =>
    typeof candidate === 'number'
      ? wanted.includes(candidate) && !Number.isNaN(candidate)
      : wanted.some(target => typeof target === 'string' && candidate.includes(target)),
  )
}
