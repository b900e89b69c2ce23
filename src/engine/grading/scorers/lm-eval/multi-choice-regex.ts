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
  const found: { at: number; text: string }[] = []
  // Left to right without overlap; at one place the earlier choice wins, as in an alternation.
  for (let from = 0; from <= normal.length; ) {
    const nexts = texts.map(text => ({ at: text === '' ? -1 : normal.indexOf(text, from), text })).filter(({ at }) => at >= 0)
    if (nexts.length === 0) break
    const next = nexts.reduce((best, candidate) => (candidate.at < best.at ? candidate : best))
    found.push(next)
    from = next.at + next.text.length
  }
  const chosen = found.at(rules.select)
  return chosen ? `(${letter(texts.lastIndexOf(chosen.text))})` : null
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
