import { countNgrams, sharedNgrams, totalNgrams } from '../text/ngrams.ts'

/** Replaces a precision of 0, so that its logarithm exists. */
const smallest = 1e-7

/** promptfoo's BLEU-4 of one text against several references on lower-case words; in [0, 1]. Papineni et al. (2002). */
export function promptfooBleu(output: string, references: readonly string[]): number {
  const words = wordsOf(output)
  const wanted = references.map(wordsOf)
  let logPrecision = 0
  for (let n = 1; n <= 4; n++) {
    const counts = countNgrams(words, n)
    const total = totalNgrams(counts)
    const shared = Math.max(0, ...wanted.map(reference => sharedNgrams(counts, countNgrams(reference, n))))
    logPrecision += Math.log(Math.max(smallest, total === 0 ? 0 : shared / total)) / 4
  }
  const lengths = wanted.map(reference => reference.length)
  const closest = lengths.reduce(
    (best, length) => (Math.abs(length - words.length) < Math.abs(best - words.length) ? length : best),
    lengths[0] ?? 0,
  )
  const brevity = words.length > closest ? 1 : Math.exp(1 - closest / words.length)
  return brevity * Math.exp(logPrecision)
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().trim().split(/\s+/)
}
