import type { Extraction } from '../verdict.ts'

/** One match of a pattern. `groups[0]` is the whole match; a group that took no part is null. */
export interface PatternMatch {
  readonly groups: readonly (Extraction | null)[]
}

/** A compiled regular expression, whichever engine runs it. */
export interface Pattern {
  /** As the author wrote it, for messages. */
  readonly source: string
  /** Capturing groups, without the whole match. */
  readonly groupCount: number
  /** The matches from left to right that do not overlap, as Python's `re.finditer` gives them. */
  matches(text: string): Iterable<PatternMatch>
  /** The text without its matches (`re.sub` with the empty string). */
  remove(text: string): string
}

export function firstMatch(pattern: Pattern, text: string): PatternMatch | null {
  for (const match of pattern.matches(text)) return match
  return null
}

export function lastMatch(pattern: Pattern, text: string): PatternMatch | null {
  let last: PatternMatch | null = null
  for (const match of pattern.matches(text)) last = match
  return last
}

/** The text without the given whole matches. */
export function removeMatches(text: string, matches: Iterable<PatternMatch>): string {
  let kept = ''
  let from = 0
  for (const { groups } of matches) {
    const whole = groups[0]
    if (!whole) continue
    kept += text.slice(from, whole.start)
    from = whole.end
  }
  return kept + text.slice(from)
}
