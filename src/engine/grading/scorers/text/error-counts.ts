import { SPACE_CLASS, strip } from '../python/strings.ts'
import { editDistance } from './edit-distance.ts'

/** Different words beyond this number have no character of their own. */
const mostDifferentWords = 60_000

const gaps = new RegExp(`[${SPACE_CLASS}]{2,}`, 'gu')

/** What an error rate is computed from; over several texts both are added up. */
export interface ErrorCounts {
  readonly edits: number
  /** Words or characters of the reference. */
  readonly wanted: number
}

/**
 * Fewest substitutions, deletions and insertions of words, or of characters, that make the output the reference: of several the one with
 * the lowest rate. As `evaluate`'s `wer` and `cer` take them from jiwer: white space in a row becomes one space, its ends are cut off, and
 * words are divided by spaces alone.
 * @throws RangeError for texts that are too long for an edit distance
 */
export function errorCounts(unit: 'word' | 'character', output: string, references: readonly string[]): ErrorCounts {
  const counts = references.map(reference => countErrors(unit, spaced(output), spaced(reference)))
  return counts.reduce((best, one) => (errorRate(one) < errorRate(best) ? one : best))
}

/** Edits per word or character of the reference; for an empty reference their number, as in jiwer. Morris et al. (2004). */
export function errorRate({ edits, wanted }: ErrorCounts): number {
  return wanted > 0 ? edits / wanted : edits
}

function countErrors(unit: 'word' | 'character', output: string, reference: string): ErrorCounts {
  const cut = (text: string) => (unit === 'word' ? text.split(' ').filter(word => word !== '') : [...text])
  const [own, wanted] = [cut(output), cut(reference)]
  const codes = new Map<string, string>()
  const encoded = (parts: readonly string[]) => parts.map(part => codeOf(part, codes)).join('')
  return { edits: editDistance(encoded(own), encoded(wanted)), wanted: wanted.length }
}

/** One UTF-16 code unit for each different part, so that a distance of texts counts parts. */
function codeOf(part: string, codes: Map<string, string>): string {
  const known = codes.get(part)
  if (known !== undefined) return known
  if (codes.size >= mostDifferentWords) throw new RangeError(`An error rate reads at most ${mostDifferentWords} different words.`)
  const code = String.fromCharCode(codes.size + 1)
  codes.set(part, code)
  return code
}

function spaced(text: string): string {
  return strip(text.replaceAll(gaps, ' '))
}
