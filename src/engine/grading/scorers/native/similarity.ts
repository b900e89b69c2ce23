import { bleuCounts, bleuScore } from '../text/bleu.ts'
import { chrfCounts, chrfScore } from '../text/chrf.ts'
import { lcsLength } from '../text/rouge.ts'

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
  const common = lcsLength(words, wanted)
  return common === 0 ? 0 : (2 * common) / (words.length + wanted.length)
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
