/** Deeper values pass `JSON.parse`, then overflow the stack in `JSON.stringify`. */
const maxDepth = 64

export type ParsedJson = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string }

/** Parses what a provider sent. The problem follows "The reply": e.g. `is not JSON`. */
export function parseJson(text: string): ParsedJson {
  if (deeperThan(text, maxDepth)) return { ok: false, problem: `is nested more than ${maxDepth} levels deep` }
  try {
    return { ok: true, value: JSON.parse(text.startsWith('\u{feff}') ? text.slice(1) : text) }
  } catch {
    return { ok: false, problem: 'is not complete, valid JSON' }
  }
}

const backslash = 0x5c

function deeperThan(text: string, limit: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 0x22) {
      i = endOfString(text, i)
    } else if (unit === 0x5b || unit === 0x7b) {
      depth += 1
      if (depth > limit) return true
    } else if (unit === 0x5d || unit === 0x7d) {
      depth -= 1
    }
  }
  return false
}

/** Index of the quote that closes the string opened at `start`; the text's length where none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
