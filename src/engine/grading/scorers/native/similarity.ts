import { bleuCounts, bleuScore } from '../text/bleu.ts'
import { chrfCounts, chrfScore } from '../text/chrf.ts'

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

/** Sentence BLEU-4 in [0, 1], as sacrebleu's `sentence_bleu` with effective order. */
export function sentenceBleu(output: string, references: readonly string[]): number {
  return bleuScore(bleuCounts(output, references), true)
}

/** chrF2 in [0, 1]. */
export function chrF(output: string, reference: string): number {
  const settings = { wordOrder: 0, beta: 2 }
  return chrfScore(chrfCounts(output, [reference], settings), settings)
}
