import { countNgrams, countSubstrings, sharedNgrams, totalNgrams } from '../text/ngrams.ts'

/** Words beyond this number would take the longest common subsequence seconds. */
const mostWords = 5000

/** Lower-case runs of letters and digits of any script. */
function rougeWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}

/**
 * ROUGE-L: F1 of the longest common subsequence of words. Lin (2004).
 * @throws RangeError above 5,000 words
 */
export function rougeL(output: string, reference: string): number {
  const words = rougeWords(output)
  const wanted = rougeWords(reference)
  if (Math.max(words.length, wanted.length) > mostWords)
    throw new RangeError(`ROUGE-L reads at most ${mostWords} words; the longer text has ${Math.max(words.length, wanted.length)}.`)
  const common = longestCommonSubsequence(words, wanted)
  return common === 0 ? 0 : (2 * common) / (words.length + wanted.length)
}

function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  let previous = new Uint32Array(b.length + 1)
  let current = new Uint32Array(b.length + 1)
  for (const word of a) {
    for (let j = 1; j <= b.length; j++)
      current[j] = word === b[j - 1] ? (previous[j - 1] ?? 0) + 1 : Math.max(previous[j] ?? 0, current[j - 1] ?? 0)
    ;[previous, current] = [current, previous]
  }
  return previous[b.length] ?? 0
}

/** Words and punctuation marks apart, as the 13a tokeniser of WMT does for Western text. */
function bleuTokens(text: string): readonly string[] {
  const spaced = ` ${text} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ')
  return spaced
    .trim()
    .split(/\s+/)
    .filter(token => token !== '')
}

/**
 * Sentence BLEU-4 in [0, 1] with exponential smoothing and effective order, the brevity penalty against the closest reference length.
 * Papineni et al. (2002); smoothing of Chen and Cherry (2014), method 3, as in sacrebleu's `sentence_bleu`.
 */
export function sentenceBleu(output: string, references: readonly string[]): number {
  const tokens = bleuTokens(output)
  const wanted = references.map(bleuTokens)
  if (tokens.length === 0 || wanted.length === 0) return 0
  let logSum = 0
  let orders = 0
  let smoothing = 1
  for (let n = 1; n <= 4; n++) {
    const counts = countNgrams(tokens, n)
    const total = totalNgrams(counts)
    if (total === 0) break
    const shared = sharedNgrams(counts, mostOfEach(wanted.map(reference => countNgrams(reference, n))))
    if (shared === 0) smoothing *= 2
    // Without a shared word there is nothing to smooth.
    if (n === 1 && shared === 0) return 0
    logSum += Math.log(shared === 0 ? 1 / (smoothing * total) : shared / total)
    orders = n
  }
  const closest = wanted
    .map(reference => reference.length)
    .reduce((best, length) => (Math.abs(length - tokens.length) < Math.abs(best - tokens.length) ? length : best))
  const brevity = tokens.length >= closest ? 1 : Math.exp(1 - closest / tokens.length)
  return brevity * Math.exp(logSum / orders)
}

/** For each n-gram the count of the reference that has it most often. */
function mostOfEach(references: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const counts of references) for (const [gram, count] of counts) most.set(gram, Math.max(count, most.get(gram) ?? 0))
  return most
}

/** chrF2 in [0, 1]: F of character n-grams up to 6 with recall counted twice, white space removed. Popović (2015). */
export function chrF(output: string, reference: string): number {
  const characters = output.replace(/\s+/g, '')
  const wanted = reference.replace(/\s+/g, '')
  let precision = 0
  let recall = 0
  let orders = 0
  for (let n = 1; n <= 6; n++) {
    const counts = countSubstrings(characters, n)
    const wantedCounts = countSubstrings(wanted, n)
    if (counts.size === 0 || wantedCounts.size === 0) continue
    const shared = sharedNgrams(counts, wantedCounts)
    precision += shared / totalNgrams(counts)
    recall += shared / totalNgrams(wantedCounts)
    orders++
  }
  return precision + recall === 0 ? 0 : (5 * precision * recall) / (4 * precision + recall) / orders
}
