import { isSpaceCode, rstrip } from '../python/strings.ts'
import type { Extraction } from '../verdict.ts'

export type AnswerKind = 'letter' | 'word' | 'line'

const marker = /answer[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*:/giu

/**
 * What follows `ANSWER:` in the way of Inspect's three patterns, without their backtracking. `letter` and `word` look after the last
 * marker only; a word must be the last of its line but for one punctuation mark; a line must be the last that is not blank.
 */
export function findAnswer(output: string, kind: AnswerKind): Extraction | null {
  const ends = Array.from(output.matchAll(marker), match => match.index + match[0].length)
  if (kind === 'line') return lastLine(output, ends)
  const end = ends.at(-1)
  if (end === undefined) return null
  const start = skipSpace(output, end)
  return kind === 'letter' ? letterAt(output, start) : wordAt(output, start)
}

function letterAt(output: string, start: number): Extraction | null {
  const text = output.charAt(start)
  if (!/[a-z]/i.test(text)) return null
  const next = String.fromCodePoint(output.codePointAt(start + 1) ?? 32)
  return /[\p{L}\p{N}_]/u.test(next) ? null : { text, start, end: start + 1 }
}

function wordAt(output: string, start: number): Extraction | null {
  let end = start
  while (end < output.length && !isSpaceCode(output.charCodeAt(end))) end++
  if (end === start) return null
  const rest = skipSpace(output, end)
  if (rest < output.length && !output.slice(end, rest).includes('\n')) return null
  const wordEnd = end - start > 1 && '.,;:!?'.includes(output.charAt(end - 1)) ? end - 1 : end
  return { text: output.slice(start, wordEnd), start, end: wordEnd }
}

/** The first marker after which only one line with text follows. */
function lastLine(output: string, ends: readonly number[]): Extraction | null {
  const lineStart = rstrip(output).lastIndexOf('\n') + 1
  for (const end of ends) {
    const start = skipSpace(output, end)
    if (start < lineStart || start >= output.length) continue
    const newline = output.indexOf('\n', start)
    const lineEnd = newline < 0 ? output.length : newline
    return { text: output.slice(start, lineEnd), start, end: lineEnd }
  }
  return null
}

function skipSpace(text: string, from: number): number {
  let i = from
  while (i < text.length && isSpaceCode(text.charCodeAt(i))) i++
  return i
}
