import type { Extraction } from '../verdict.ts'
import { type Pattern, type PatternMatch, removeMatches } from './pattern.ts'

/**
 * A pattern of ours on the JavaScript engine, which is many times faster than RE2 here. Only for expressions written in this project
 * whose running time grows in proportion to the text: no nested or neighboring quantifiers over the same characters.
 * @param source what the tool's own author wrote, for messages
 */
export function fixedPattern(expression: RegExp, source: string = expression.source): Pattern {
  const flags = expression.flags.replace(/[dgy]/g, '')
  const finder = new RegExp(expression.source, `${flags}g`)
  const locator = new RegExp(expression.source, `${flags}dy`)
  const groupCount = (new RegExp(`${expression.source}|`, flags).exec('')?.length ?? 1) - 1
  const pattern: Pattern = {
    source,
    groupCount,
    *matches(text) {
      for (const match of text.matchAll(finder)) yield new FixedMatch(text, match.index, locator)
    },
    remove: text => removeMatches(text, pattern.matches(text)),
  }
  return pattern
}

/** Locating groups is slow, so it is done on demand: most matches are skipped on the way to the last. */
class FixedMatch implements PatternMatch {
  readonly #text: string
  readonly #index: number
  readonly #locator: RegExp

  constructor(text: string, index: number, locator: RegExp) {
    this.#text = text
    this.#index = index
    this.#locator = locator
  }

  get groups(): readonly (Extraction | null)[] {
    this.#locator.lastIndex = this.#index
    const match = this.#locator.exec(this.#text)
    return Array.from(match ?? [], (text: string | undefined, group) => {
      const [start, end] = match?.indices?.[group] ?? []
      return text === undefined || start === undefined || end === undefined ? null : { text, start, end }
    })
  }
}
