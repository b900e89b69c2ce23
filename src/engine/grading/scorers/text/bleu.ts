import { type BleuTokenizer, bleuTokens } from './bleu-tokens.ts'
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

export interface BleuSettings {
  readonly tokenizer?: BleuTokenizer
  readonly lowercase?: boolean
}

/** What becomes of an order without a shared n-gram. */
export interface BleuSmoothing {
  readonly method: 'exp' | 'floor' | 'add-k' | 'none'
  /** Of `floor`: counted in place of 0; of `add-k`: added to both counts from bigrams on. */
  readonly value?: number | undefined
}
const usual: BleuSmoothing = { method: 'exp' }
export const smoothingValues = { floor: 0.1, 'add-k': 1 } as const

/** Counts of one output against all its references together. */
export function bleuCounts(
  output: string,
  references: readonly string[],
  { tokenizer = '13a', lowercase = false }: BleuSettings = {},
): BleuCounts {
  const tokens = (text: string) => bleuTokens(lowercase ? text.toLowerCase() : text, tokenizer)
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
 * BLEU-4 in [0, 1] with the brevity penalty. Papineni et al. (2002); smoothing of Chen and Cherry (2014), methods 1 (`floor`), 2
 * (`add-k`) and 3 (`exp`), as sacrebleu computes it.
 * @param effectiveOrder whether orders without any n-gram are left out, as for single sentences
 */
export function bleuScore({ length, wanted, shared, total }: BleuCounts, effectiveOrder: boolean, { method, value } = usual): number {
  if (length === 0 || shared.every(count => count === 0)) return 0
  let logs = 0
  let orders = mostOrder
  let smoothing = 1
  for (const [i, whole] of total.entries()) {
    const added = method === 'add-k' && i > 0 ? (value ?? smoothingValues['add-k']) : 0
    const count = whole + added
    if (count === 0) {
      // Without an n-gram of this order its precision is 0.
      if (!effectiveOrder) return 0
      orders = i
      break
    }
    const common = (shared[i] ?? 0) + added
    if (common === 0 && method !== 'exp' && method !== 'floor') return 0
    if (common === 0) smoothing *= 2
    const least = method === 'floor' ? (value ?? smoothingValues.floor) : 1 / smoothing
    logs += Math.log((common === 0 ? least : common) / count)
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
