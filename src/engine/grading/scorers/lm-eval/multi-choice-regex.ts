import type { Pattern } from '../patterns/pattern.ts'
import { strip } from '../python/strings.ts'
import { regexFilter } from './filters.ts'

/** How the `multi_choice_regex` filter finds a choice's text in a response. */
export interface ChoiceTextRules {
  readonly select: number
  readonly ignoreCase: boolean
  /** Punctuation of every script, unlike `exact_match`. */
  readonly ignorePunctuation: boolean
  readonly ignored: readonly Pattern[]
  /** Where nothing is found. */
  readonly fallback: string
}

const punctuation = /\p{P}/gu

/**
 * The `multi_choice_regex` filter: what the pattern finds; else the label of a choice whose text is in the response; else the
 * letter after a colon; else the fallback. Labels are written `(A)`.
 */
export function multiChoiceRegex(pattern: Pattern, rules: ChoiceTextRules, choices: readonly string[], response: string): string {
  return (
    patternAnswer(pattern, rules.select, response) ??
    choiceText(rules, choices, response) ??
    afterColon(rules.select, choices, response) ??
    rules.fallback
  )
}

function patternAnswer(pattern: Pattern, select: number, response: string): string | null {
  if (![...pattern.matches(response)].at(select)) return null
  return regexFilter(pattern, select, response)?.text || null
}

function choiceText(rules: ChoiceTextRules, choices: readonly string[], response: string): string | null {
  const normal = normalize(rules, response)
  const texts = choices.map(choice => normalize(rules, strip(choice)))
  const chosen = strip(findTexts(texts, normal).at(rules.select) ?? '')
  if (chosen === '') return null
  // White space that normalizing left at the end of a choice keeps it from being known again; then the text itself is the answer.
  const place = texts.lastIndexOf(chosen)
  return place < 0 ? chosen : `(${letter(place)})`
}

/**
 * What an alternation of the texts finds from left to right: at one place the earlier text wins. A text without anything in it is found
 * everywhere but where it was just found, as Python's `re.findall` finds it.
 */
function findTexts(texts: readonly string[], within: string): string[] {
  const found: string[] = []
  // Where each text is next; looked up again only once that is passed, since a long response would be read over and over.
  const places = texts.map(() => -Infinity)
  let emptyAt = -1
  for (let from = 0; from <= within.length; ) {
    for (const [i, text] of texts.entries()) {
      if ((places[i] ?? -1) >= from && text !== '') continue
      const at = text === '' ? (emptyAt === from ? from + 1 : from) : within.indexOf(text, from)
      places[i] = at < 0 ? Infinity : at
    }
    const nexts = texts.map((text, i) => ({ at: places[i] ?? Infinity, text })).filter(({ at }) => at <= within.length)
    const [first, ...others] = nexts
    if (!first) break
    const next = others.reduce((best, candidate) => (candidate.at < best.at ? candidate : best), first)
    found.push(next.text)
    from = next.at + next.text.length
    if (next.text === '') emptyAt = next.at
  }
  return found
}

function afterColon(select: number, choices: readonly string[], response: string): string | null {
  const letters = Array.from(choices, (_, i) => letter(i))
  const marked = Array.from(response.matchAll(/:\s*([A-Z])/g), match => match[1] ?? '').filter(found => letters.includes(found))
  const chosen = marked.at(select)
  return chosen === undefined ? null : `(${chosen})`
}

function letter(position: number): string {
  return String.fromCharCode(65 + position)
}

function normalize(rules: ChoiceTextRules, text: string): string {
  let normal = text
  for (const pattern of rules.ignored) normal = pattern.remove(normal)
  if (rules.ignoreCase) normal = normal.toLowerCase()
  return rules.ignorePunctuation ? normal.replace(punctuation, '') : normal
}
