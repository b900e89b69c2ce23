import { endOfJsonString } from '../../../lib/json-text.ts'

/** Deeper values pass `JSON.parse`, then overflow the stack in `JSON.stringify`. */
const maxDepth = 64
/** Each takes a parser microseconds, in the thread that answers everybody; 20 log-probabilities for each of 10,000 tokens are 800,000. */
const maxValues = 1_000_000

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Parses what a provider sent. The problem follows "The reply": e.g. `is not JSON`. */
export function parseJson(text: string): ParsedJson {
  const problem = boundsFault(text)
  if (problem !== null) return { ok: false, problem }
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text) }
  } catch {
    return { ok: false, problem: 'is not complete, valid JSON' }
  }
}

function boundsFault(text: string): string | null {
  let depth = 0
  let values = 1
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22) i = endOfJsonString(text, i) - 1
    else if (unit === 0x5d || unit === 0x7d) depth--
    else if (unit === 0x2c || unit === 0x5b || unit === 0x7b) {
      values++
      if (unit !== 0x2c) depth++
      if (depth > maxDepth) return `is nested more than ${maxDepth} levels deep`
      if (values > maxValues) return `holds more than ${maxValues.toLocaleString('en-US')} values`
    }
  }
  return null
}
