import { type Pattern, type PatternMatch, removeMatches } from './pattern.ts'

/**
 * A pattern of ours on the JavaScript engine, which is many times faster than RE2 here. Only for expressions written in this project
 * whose running time grows in proportion to the text: no nested or neighbouring quantifiers over the same characters.
 * @param source what the tool's own author wrote, for messages
 */
export function fixedPattern(expression: RegExp, source: string = expression.source): Pattern {
  const flags = `${expression.flags.replace(/[dgy]/g, '')}dg`
  const compiled = new RegExp(expression.source, flags)
  const groupCount = (new RegExp(`${expression.source}|`, flags).exec('')?.length ?? 1) - 1
  const pattern: Pattern = {
    source,
    groupCount,
    *matches(text) {
      for (const match of text.matchAll(compiled)) yield toMatch(match)
    },
    remove: text => removeMatches(text, pattern.matches(text)),
  }
  return pattern
}

function toMatch(match: RegExpExecArray): PatternMatch {
  return {
    groups: Array.from(match, (text: string | undefined, group) => {
      const [start, end] = match.indices?.[group] ?? []
      return text === undefined || start === undefined || end === undefined ? null : { text, start, end }
    }),
  }
}
