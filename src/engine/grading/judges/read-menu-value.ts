import type { JudgeDefinition } from '../../../contract/evaluators/evaluator-definition.schemas.ts'
import { normalizeText } from '../extraction/readable.ts'

/** What is found where a verdict is expected. */
export type ReadValue =
  | { readonly kind: 'value'; readonly value: string }
  /** Two values of the menu, or one with a doubt. */
  | { readonly kind: 'ambiguous'; readonly said: string }
  /** A number that the scale doesn't have, or of a scale that ends elsewhere. */
  | { readonly kind: 'off_scale'; readonly said: string }
  | { readonly kind: 'none' }

export interface MenuReader {
  /** The value that a text begins with, with nothing behind it but an explanation. */
  read(text: string): ReadValue
  /** The value that a text is, with marks around it at most. */
  readWhole(text: string): ReadValue
}

/** Of a text that begins with a verdict. */
const longestSaid = 2000
const none = { kind: 'none' } as const
const opening = /^(?:[\s"'`*_~<>([{|$:=#•-]|\p{Extended_Pictographic}|\ufe0f|->|=>|→|⇒|\\(?:boxed|text(?:bf)?|mathbf|mathrm)\{|is\b)/u
const closing = /^(?:["'`*_>)\]}$|]|\\[)\]]|<\/[a-z_]{1,20}>)/i
const filler = /^(?:an? |the |(?:output|response|answer|assistant|model|option|choice) (?=["'([*]{0,3}[a-z]\b))/i
/** What may follow a verdict on its line: nothing, the end of a sentence, or a mark before an explanation. */
const explained =
  /^(?:$|[.!;:,](?=\s|$|["'*])|\s*(?:[([–—]|-{1,2}\s|->|→|\||#|\p{Extended_Pictographic})|\s+(?:because|since|as|due to|given|with|for the|—|is (?:the )?(?:better|best|correct|preferred|right|winner|stronger)|wins)(?![\p{L}\d]))/u
const doubted = /^\s*(?:[,;(/|-]\s*)?(?:\?|(?:or|vs\.?|versus|not sure|unsure|maybe|perhaps|possibly)(?![\p{L}\d]))/iu
/** Says that what precedes it is withdrawn. */
export const takenBack =
  /(?<![\p{L}])(?:wait|actually|correction|on second thought|hmm+|oops|scratch that|i mean|let me re-?\w+|reconsider(?:ing)?)(?![\p{L}])/iu
const joined = /^\s{0,3}(?:[.!;:,([–—|/-]|→|->|and(?= )|to(?= ))(?:[\s.!;:,([–—|/>-]|→)*/i
const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const scaleEnd =
  /^\s?(?:stars?|points?|pts?)?\s?[([]?\s?(?:\/|out of|of|from|von|sur|de|su|из|\\\/)\s?(?:a (?:maximum|possible|total) (?:of )?)?["'*_]{0,3}(\d+(?:[.,]\d+)?)(?!\d|\.\d)\s?(?:stars?|points?|pts?)?["'*_)\]}]{0,4}/iu

/** Finds a value of a judge's menu however it is written: any case, quoted, emphasized, boxed, on a scale as "4/5" or "4 out of 5". */
export function menuReader({ menu, mode }: JudgeDefinition): MenuReader {
  // Longest first: "not met" before "not".
  const entries = menu
    .map(({ value }) => ({ value, pattern: new RegExp(`^${patternOf(value)}(?![\\p{L}\\p{N}_])`, 'iu') }))
    .sort((a, b) => b.value.length - a.value.length)
  const at = (text: string) => {
    for (const { value, pattern } of entries) {
      const found = pattern.exec(text)?.[0]
      if (found !== undefined) return { value, rest: text.slice(found.length) }
    }
    return null
  }
  /** The value that a text begins with and that is not part of a sentence, as in "no errors" and "B is worse". */
  const alsoNamed = (text: string) => {
    const found = joined.test(text) ? at(afterOpening(text.replace(joined, ''))) : null
    return found && /^(?:$|[.!?,;:]|\s*[)\]])/.test(afterClosing(found.rest)) ? found.value : null
  }
  const entryOf = (text: string): ReadValue => {
    const bare = afterOpening(text)
    const said = text.trim().slice(0, 200)
    for (const start of [text.trimStart(), bare, bare.replace(filler, '')]) {
      const found = at(start)
      if (!found) continue
      const rest = afterClosing(found.rest)
      const other = alsoNamed(rest)
      if (doubted.test(rest) || (other !== null && other !== found.value)) return { kind: 'ambiguous', said }
      if (explained.test(rest)) return takenBack.test(rest) ? { kind: 'ambiguous', said } : { kind: 'value', value: found.value }
    }
    return none
  }
  const numbers = mode === 'score' ? menu.map(({ value }) => ({ value, number: Number(value) })) : []
  const highest = Math.max(...numbers.map(({ number }) => number))
  const scoreOf = (text: string): ReadValue => {
    const bare = afterOpening(inFigures(text))
    const found = /^[+-]?\d{1,9}(?:[.,]\d{1,6})?(?![\d.,]\d)/.exec(bare)
    if (!found) return none
    const said = text.trim().slice(0, 200)
    let rest = afterClosing(bare.slice(found[0].length))
    const end = scaleEnd.exec(rest)
    if (end) rest = afterClosing(rest.slice(end[0].length))
    rest = rest.replace(/^\s?(?:stars?|points?|pts?)\b/i, '')
    if (/^\s?(?:%|percent|per cent)/i.test(rest) && highest !== 100) return { kind: 'off_scale', said }
    if (/^\s?(?:(?:[-–~/]|→|->|to|and)\s?\d|±)/.test(rest) || doubted.test(rest) || takenBack.test(rest)) return { kind: 'ambiguous', said }
    if (/^[\p{L}\p{N}_]/u.test(rest) || !explained.test(afterClosing(rest.replace(/^\s?%/, '')))) return none
    const number = Number(found[0].replace(',', '.'))
    if (end && Number((end[1] ?? '').replace(',', '.')) !== highest) return { kind: 'off_scale', said }
    const entry = numbers.find(each => each.number === number)
    if (!entry) return { kind: 'off_scale', said }
    const other = /^[+-]?\d+(?:\.\d+)?(?=["'*_)\]}.\s]*$)/.exec(rest.replace(joined, ''))?.[0]
    return other !== undefined && Number(other) !== number ? { kind: 'ambiguous', said } : { kind: 'value', value: entry.value }
  }
  const read = (text: string): ReadValue => {
    const bounded = text.slice(0, longestSaid)
    return mode === 'score' ? scoreOf(bounded) : entryOf(bounded)
  }
  return {
    read,
    readWhole: text => {
      if (text.length > longestSaid) return none
      const found = read(text)
      if (found.kind !== 'value') return none
      const words = (all: string) => all.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
      return words(text) <= words(found.value) + (mode === 'score' ? 4 : 0) ? found : none
    },
  }
}

function patternOf(value: string): string {
  return normalizeText(value)
    .trim()
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
    .replaceAll(/[\s_-]+/g, String.raw`[\s_-]{1,3}`)
}

/** Without the marks at the start; a sign before a number stays. */
function afterOpening(text: string): string {
  let rest = text
  for (let found = opening.exec(rest); found; found = opening.exec(rest)) {
    if (found[0] === '-' && /^-\d/.test(rest)) break
    rest = rest.slice(found[0].length)
  }
  return rest
}

function afterClosing(text: string): string {
  let rest = text
  for (let found = closing.exec(rest); found; found = closing.exec(rest)) rest = rest.slice(found[0].length)
  return rest
}

/** Stars and words as figures. */
function inFigures(text: string): string {
  const stars = /^[\s:*_]*([★⭐]{1,10})\ufe0f?[☆✩]*/u.exec(text)
  if (stars) return `${[...(stars[1] ?? '')].length}${text.slice(stars[0].length)}`
  return text
    .replaceAll(/\u20e3|\ufe0f/g, '')
    .replace(
      /^([\s"'*_([]*)(zero|one|two|three|four|five|six|seven|eight|nine|ten)\b/i,
      (_, marks: string, word: string) => `${marks}${numberWords.indexOf(word.toLowerCase())}`,
    )
    .replace(
      /\b(?:out of|of) (two|three|four|five|six|seven|eight|nine|ten)\b/i,
      (_, word: string) => `out of ${numberWords.indexOf(word.toLowerCase())}`,
    )
}
