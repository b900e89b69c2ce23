import type { RE2JS } from 're2js'

/** Instructions of the pattern times characters of the text that one search may cost: two or three seconds. */
const mostSteps = 80_000_000

/** The search would take, or took, longer than a score is worth. Only the one output goes without a verdict. */
export class PatternLimitError extends Error {
  override readonly name = 'PatternLimitError'

  constructor(source: string, text: string) {
    super(`The pattern ${JSON.stringify(source.slice(0, 80))} takes too long on a text of ${text.length.toLocaleString('en')} characters.`)
  }
}

/**
 * RE2 takes time in proportion to text and pattern, and cannot be interrupted.
 * @throws PatternLimitError where that would be seconds
 */
export function requireAffordable(compiled: RE2JS, source: string, text: string): void {
  if (compiled.programSize() * text.length > mostSteps) throw new PatternLimitError(source, text)
}
