import { trimEndOf } from '../../../lib/trim-end.ts'
import { casefold } from '../scorers/python/strings.ts'

/** The choices that a stretch of text names as its answer. */
export interface NamedOptions {
  /** Positions in the list of choices, in the order in which they are named; several where the text does not decide. */
  readonly positions: readonly number[]
  /** Where the first is named. */
  readonly start: number
  readonly end: number
}

/** Labels and folded texts of a task's choices. */
export interface OptionTexts {
  readonly count: number
  readonly texts: readonly string[]
  /** Whether choices are single letters themselves, so that a letter can mean a text. */
  readonly areLetters: boolean
}

export function optionTexts(choices: readonly string[]): OptionTexts {
  const texts = choices.map(foldOption)
  return { count: choices.length, texts, areLetters: texts.some(text => /^[a-z]$/.test(text)) }
}

/** For comparing: without case, outer punctuation and doubled spaces. */
export function foldOption(text: string): string {
  const opened = casefold(text)
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s"'([{]+(?=\S)/, '')
  return trimEndOf(opened, /[\s"')\]}.,;:!?]/).trim()
}

// After a label that is also a word ("A", "I"), what shows that it was meant as a label.
const reason = /^(?:because|since|as|is|was|which|with|for|due|given|that|and|or|but|not|rather|instead|over|would|must|the|[A-Z])\b/
const opening =
  /^(?:[\s"'([]|#{1,6}\s|\.{3}|…|=>|->|→|⇒|>){0,20}(?:(?:either|both)\s{1,3}){0,1}(?:(?:option|choice|letter|answer|number|no\.)\s{1,3}(?=["'([]?[A-Za-z]\b))?["'([]{0,3}/i
const label = /^([A-Za-z])(?![A-Za-z0-9]|['’][A-Za-z]|\+\+|#)/
const labels = /^[A-Z]{2,6}(?![A-Za-z0-9'’])/
const connector =
  /^["')\].]{0,3}\s{0,4}(?:,?\s{0,3}(?:or|and|as well as|und|oder|et|ou|y|o|和|或|и|или)(?![a-z])|[,;/&+、]|-(?=[A-Z](?![A-Za-z]))|\s)\s{0,4}(?:(?:maybe|possibly|perhaps|also|either|option|choice|both)\s{1,3}){0,2}["'([]{0,3}/i
const contrast = /^["')\].,;:\s-]{0,8}(?:and |but )?(?:not|rather than|instead of|over|never|unlike|nicht|sondern)\b/i

/**
 * What the text between `from` and `to` begins with: a label ("B", "(b)", "option B) two"), several ("A or B"), or the text of a choice.
 * @param isAlone the stretch is a whole line or answer, so that a small letter by itself counts
 * @returns null when it names no choice
 */
export function readOption(text: string, from: number, to: number, options: OptionTexts): NamedOptions | null {
  const stretch = text.slice(from, Math.min(to, from + 2000))
  const opened = opening.exec(stretch)?.[0].length ?? 0
  const rest = stretch.slice(opened)
  const byText = wholeText(rest, options)
  if (byText !== null && !(options.areLetters && label.test(rest)))
    return { positions: [byText.position], start: from + opened, end: from + opened + byText.length }
  const named = readLabels(rest, options)
  if (named) return conflicting(rest, named, options, from + opened)
  const joined = joinedTexts(rest, options)
  if (joined) return { positions: joined, start: from + opened, end: from + opened + firstLine(rest).trimEnd().length }
  const leading = leadingText(rest, options)
  return leading && { positions: [leading.position], start: from + opened, end: from + opened + leading.length }
}

interface Labels {
  readonly positions: readonly number[]
  /** Where the first label ends. */
  readonly end: number
}

function readLabels(rest: string, options: OptionTexts): Labels | null {
  const joined = labels.exec(rest)?.[0]
  if (joined !== undefined) {
    const positions = [...joined].map(letter => positionOfLabel(letter, options))
    if (positions.includes(-1) || new Set(positions).size < positions.length) return null
    return { positions, end: joined.length }
  }
  const first = label.exec(rest)?.[1]
  if (first === undefined) return null
  const position = positionOfLabel(first, options)
  if (position < 0 || !isLabel(rest, first)) return null
  const positions = [position]
  let at = 1
  while (positions.length < options.count) {
    const tail = rest.slice(at, at + 80)
    if (contrast.test(tail)) break
    const joint = connector.exec(tail)?.[0]
    const next = joint === undefined ? undefined : label.exec(tail.slice(joint.length))?.[1]
    const other = next === undefined ? -1 : positionOfLabel(next, options)
    if (joint === undefined || next === undefined || other < 0 || !isNextLabel(tail.slice(joint.length), next, joint)) break
    if (!positions.includes(other)) positions.push(other)
    at += joint.length + 1
  }
  return { positions, end: 1 }
}

/** Whether a letter is meant as a label and not as a word of the sentence. */
function isLabel(rest: string, letter: string): boolean {
  const after = rest.slice(1, 60)
  if (/^["')\]]/.test(after) || /^\s*(?:[.,:;!?)\]–—|/&+]|-\s|-$|$|\n)/.test(after)) return true
  if (letter !== letter.toUpperCase()) return false
  if (letter !== 'A' && letter !== 'I') return true
  return reason.test(after.trimStart()) || /^\s{2,}/.test(after)
}

/** Whether a letter after a connector is a further answer: "A, B" and "A or B", but not "A, B is wrong". */
function isNextLabel(rest: string, letter: string, joint: string): boolean {
  const after = rest.slice(1, 40)
  if (letter !== letter.toUpperCase()) return /^["')\]]/.test(after) && /\S/.test(joint)
  const ends = /^["')\]]{0,3}\s{0,3}(?:$|\n|[.,;:/&!?]|(?:or|and|both|are|could|seem|would|maybe)\b)/.test(after)
  // After a word or a sign that joins, a verb makes it a sentence of its own.
  const joins = /\b(?:or|and|oder|und|ou|et|y|o)\b|[/&或和]/i.test(joint)
  return ends || (joins && !/^\s*(?:is|was|are|isn't|does|would|has|can)\b/.test(after))
}

function positionOfLabel(letter: string, { count }: OptionTexts): number {
  const position = letter.toUpperCase().charCodeAt(0) - 65
  return position < count ? position : -1
}

/** A label beside the whole text of another choice names two. */
function conflicting(rest: string, { positions, end }: Labels, options: OptionTexts, offset: number): NamedOptions {
  const [position = 0] = positions
  const named = { positions, start: offset, end: offset + end }
  if (positions.length > 1) return named
  const after = rest.slice(end).replace(/^["')\].:\s–—-]{1,12}/, '')
  const said = after === rest.slice(end) ? null : wholeText(after, options)
  return said === null || said.position === position || options.areLetters ? named : { ...named, positions: [position, said.position] }
}

interface Text {
  readonly position: number
  readonly length: number
}

/** The only choice whose text is all of the line or sentence. */
function wholeText(rest: string, { texts }: OptionTexts): Text | null {
  const line = firstLine(rest)
  for (const stretch of [rest, line, ...sentencesFrom(line)]) {
    const folded = foldOption(stretch)
    const exact = folded === '' ? [] : texts.flatMap((text, position) => (text === folded ? [position] : []))
    // "18cm" is "18 cm".
    const same =
      exact.length > 0 || folded === ''
        ? exact
        : texts.flatMap((text, position) => (withoutBlanks(text) === withoutBlanks(folded) ? [position] : []))
    const [position] = same
    if (position !== undefined && same.length === 1) return { position, length: stretch.trimEnd().length }
  }
  return null
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '')
}

/** The line up to each of its first marks at which a sentence or a clause may end. */
function sentencesFrom(line: string): string[] {
  const ends = [...line.matchAll(/[.!?;](?=\s|$)|\s[–—-]\s|,\s|\s\(/g)].slice(0, 6)
  return ends.map(({ index }) => line.slice(0, index))
}

/** Several choices by their texts: "Paris or London". */
function joinedTexts(rest: string, { texts }: OptionTexts): readonly number[] | null {
  const parts = firstLine(rest)
    .split(/[.!?;](?=\s|$)/)[0]
    ?.split(/\s*[,/&]\s*|\s+(?:or|and)\s+/i)
  const positions = (parts ?? []).map(part => texts.indexOf(foldOption(part)))
  return positions.length > 1 && !positions.includes(-1) && new Set(positions).size > 1 ? [...new Set(positions)] : null
}

function firstLine(text: string): string {
  return /^[^\n]*/.exec(text)?.[0] ?? ''
}

/** "No way to know", "no one": not the answer no. */
const noAnswer =
  /^\s+(?:way|one|idea|clue|answer|information|evidence|context|options?|choices?|doubt|problem|single|such|clear|definit\w+|further|more|other|need|reason|matter|comment)\b/

/** The longest choice that the line begins with as whole words, where no other is as long. */
function leadingText(rest: string, { texts }: OptionTexts): Text | null {
  const line = foldOption(firstLine(rest))
  const begins = texts.flatMap((text, position) =>
    text !== '' &&
    line.startsWith(text) &&
    !/^[\p{L}\p{N}%]|^[.,:/-]?\d|^\s+(?:or|and|to|times|x)\b/u.test(line.slice(text.length)) &&
    !(/\d$/.test(text) && /^\s{0,3}(?:[+*×÷=^<>]|[/-]\s?\d)/.test(line.slice(text.length))) &&
    !(text === 'no' && noAnswer.test(line.slice(text.length)))
      ? [{ position, length: text.length }]
      : [],
  )
  const longest = Math.max(0, ...begins.map(({ length }) => length))
  const best = begins.filter(({ length }) => length === longest)
  return best.length === 1 ? (best[0] ?? null) : null
}
