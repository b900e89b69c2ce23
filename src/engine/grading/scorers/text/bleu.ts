import { rstrip, splitWords } from '../python/strings.ts'
import { countNgrams, sharedNgrams, totalNgrams } from './ngrams.ts'

const mostOrder = 4

/** What BLEU is computed from; over several texts each part is added up. */
export interface BleuCounts {
  /** Tokens of the outputs. */
  readonly length: number
  /** Tokens of the reference whose length is closest to that of the output. */
  readonly wanted: number
  /** Shared n-grams, from n = 1. */
  readonly shared: readonly number[]
  /** N-grams of the outputs, from n = 1. */
  readonly total: readonly number[]
}

/** Words and punctuation marks apart, as in WMT's mteval-v13a. */
function tokens(text: string): readonly string[] {
  const line = rstrip(text)
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
  const spaced = ` ${line} `
    .replace(/([{-~[-` -&(-+:-@/])/g, ' $1 ')
    .replace(/([^0-9])([.,])/g, '$1 $2 ')
    .replace(/([.,])([^0-9])/g, ' $1 $2')
    .replace(/([0-9])(-)/g, '$1 $2 ')
  return splitWords(spaced)
}

/** Counts of one output against all its references together. */
export function bleuCounts(output: string, references: readonly string[]): BleuCounts {
  const words = tokens(output)
  const wanted = references.map(tokens)
  const lengths = wanted.map(reference => reference.length)
  // The shorter of two that are equally close.
  const closest = lengths.reduce((best, length) => {
    const [gap, bestGap] = [Math.abs(length - words.length), Math.abs(best - words.length)]
    return gap < bestGap || (gap === bestGap && length < best) ? length : best
  }, lengths[0] ?? 0)
  const orders = Array.from({ length: mostOrder }, (_, i) => {
    const counts = countNgrams(words, i + 1)
    const allowed = mostOfEach(wanted.map(reference => countNgrams(reference, i + 1)))
    return { shared: sharedNgrams(counts, allowed), total: totalNgrams(counts) }
  })
  return { length: words.length, wanted: closest, shared: orders.map(({ shared }) => shared), total: orders.map(({ total }) => total) }
}

/**
 * BLEU-4 in [0, 1] with exponential smoothing and the brevity penalty. Papineni et al. (2002); smoothing of Chen and Cherry (2014),
 * method 3, as sacrebleu computes it.
 * @param effectiveOrder whether orders without any n-gram are left out, as for single sentences
 */
export function bleuScore({ length, wanted, shared, total }: BleuCounts, effectiveOrder: boolean): number {
  if (shared.every(count => count === 0)) return 0
  let logs = 0
  let orders = mostOrder
  let smoothing = 1
  for (const [i, count] of total.entries()) {
    if (count === 0) {
      // Without an n-gram of this order its precision is 0.
      if (!effectiveOrder) return 0
      orders = i
      break
    }
    const common = shared[i] ?? 0
    if (common === 0) smoothing *= 2
    logs += Math.log(common === 0 ? 1 / (smoothing * count) : common / count)
  }
  const brevity = length >= wanted ? 1 : Math.exp(1 - wanted / length)
  return brevity * Math.exp(logs / orders)
}

/** For each n-gram the count of the reference that has it most often. */
function mostOfEach(references: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const most = new Map<string, number>()
  for (const counts of references) for (const [gram, count] of counts) most.set(gram, Math.max(count, most.get(gram) ?? 0))
  return most
}
