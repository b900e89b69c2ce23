import { distance } from 'fastest-levenshtein'

/** Product of the lengths up to which a distance takes well under a second. */
const mostWork = 2_500_000_000

/**
 * Levenshtein distance in UTF-16 code units.
 * @throws RangeError for two texts of more than about 50,000 characters each
 */
export function editDistance(a: string, b: string): number {
  if (a.length * b.length > mostWork)
    throw new RangeError(`Texts of ${a.length} and ${b.length} characters are too long for an edit distance.`)
  return distance(a, b)
}

/** 1 - distance / length of the longer text; 1 for two empty texts. */
export function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length)
  return longest === 0 ? 1 : 1 - editDistance(a, b) / longest
}
