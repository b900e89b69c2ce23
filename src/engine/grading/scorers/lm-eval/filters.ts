import type { Extraction } from '../verdict.ts'
import { firstMatch, lastMatch, type Pattern, type PatternMatch } from '../patterns/pattern.ts'
import { SPACE_CLASS, WORD_CLASS, rstrip, strip, stripSpan } from '../python/strings.ts'

/**
 * The `regex` filter: all matches, the one at `select` (negative counts from the end), of it the first group that is not empty
 * (without groups the whole match), stripped.
 * @returns null where the filter gives its fall-back: nothing matches, or every one of several groups is empty
 * @throws Error when `select` lies beyond the matches, where lm-eval raises IndexError
 */
export function regexFilter(pattern: Pattern, select: number, text: string): Extraction | null {
  const match = selectMatch(pattern, select, text)
  if (!match) return null
  const captured = match.groups.slice(1)
  const found = pattern.groupCount < 2 ? match.groups[pattern.groupCount] : captured.find(group => group !== null && group.text !== '')
  if (!found && pattern.groupCount > 1) return null
  // A single group that took no part counts as empty text.
  if (!found) return { text: '', start: match.groups[0]?.start ?? 0, end: match.groups[0]?.start ?? 0 }
  const { start, end } = stripSpan(found.text)
  return { text: found.text.slice(start, end), start: found.start + start, end: found.start + end }
}

function selectMatch(pattern: Pattern, select: number, text: string): PatternMatch | null {
  if (select === 0) return firstMatch(pattern, text)
  if (select === -1) return lastMatch(pattern, text)
  const all = [...pattern.matches(text)]
  if (all.length === 0) return null
  const chosen = all.at(select)
  if (!chosen) throw new Error(`The pattern matches ${all.length} times, so match ${select} does not exist.`)
  return chosen
}

/** The `majority_vote` filter: the most frequent answer, the earliest of equals; `[invalid]` can win. */
export function majorityVote(answers: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  let winner: string | undefined
  for (const [answer, count] of counts) if (winner === undefined || count > (counts.get(winner) ?? 0)) winner = answer
  return winner
}

/** The `map` filter. */
export function mapFilter<Value>(mapping: Readonly<Record<string, Value>>, fallback: Value, text: string): Value {
  return Object.hasOwn(mapping, text) ? (mapping[text] ?? fallback) : fallback
}

// The labels that the named-entity tasks accept, by the short name they are written as, in the order in which lm-eval looks for them.
const spanLabels: readonly (readonly [label: string, short: string])[] = [
  ['person', 'PER'],
  ['location', 'LOC'],
  ['organization', 'ORG'],
  ['counties', 'LOC'],
  ['places', 'LOC'],
  ['people', 'PER'],
  ['persons', 'PER'],
  ['company', 'ORG'],
  ['country', 'LOC'],
  ['continent', 'LOC'],
  ['time', 'DATE'],
  ['date', 'DATE'],
  ['per', 'PER'],
  ['loc', 'LOC'],
  ['org', 'ORG'],
]
const labels = spanLabels.map(([label, short]) => ({
  pattern: new RegExp(`(?<![${WORD_CLASS}])${label}[${SPACE_CLASS}]*:`, 'gu'),
  short: `${short}:`,
}))
const labeledSpans = new RegExp(`(?<![${WORD_CLASS}])(PER|LOC|ORG|DATE):[${SPACE_CLASS}]*([^$]+)`, 'gu')

/**
 * The `format_span` filter of the named-entity tasks: lower case, short names for labels before a colon, one ` $ `-separated entry per
 * entity, no `none`. Labels within the text of an entity keep their capitals, as in lm-eval.
 */
export function formatSpan(text: string): string {
  let named = text.toLowerCase()
  for (const { pattern, short } of labels) named = named.replace(pattern, short)
  named = strip(
    rstrip(
      named.replaceAll('$$', () => '$'),
      '$',
    ).replaceAll('\n', () => '$'),
  )
  const entries: string[] = []
  for (const [, label = '', values = ''] of named.matchAll(labeledSpans))
    for (const value of values.split(',').map(part => strip(part)))
      if (value.toLowerCase() !== 'none') entries.push(`${label.toLowerCase()}: ${value}`)
  return entries.join(' $ ')
}
