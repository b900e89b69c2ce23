import type { Extraction } from '../verdict.ts'

const latexBoxes = /\\(?:boxed|fbox)\s{0,8}\{/g

/**
 * What the last `\boxed{…}` or `\fbox{…}` with balanced braces holds.
 * @param opening a global expression that ends in the opening brace, for other notations of a box
 */
export function lastBoxed(output: string, opening: RegExp = latexBoxes): Extraction | null {
  let last: Extraction | null = null
  opening.lastIndex = 0
  for (let match = opening.exec(output); match; match = opening.exec(output)) {
    const start = opening.lastIndex
    const end = closingBrace(output, start)
    // A brace that never closes leaves no balanced one behind it within the same braces; scanning on would be quadratic.
    if (end < 0) break
    last = { text: output.slice(start, end), start, end }
    opening.lastIndex = end
  }
  return last
}

/** The position of the brace that closes the one before `from`, or -1. */
function closingBrace(text: string, from: number): number {
  let depth = 1
  for (let i = from; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x7b) depth++
    else if (char === 0x7d && --depth === 0) return i
  }
  return -1
}
