import { binomialPmf } from './binomial.ts'

/**
 * Probability of x marked among `drawn` taken without replacement from `marked` marked and `unmarked` others.
 * Source: Loader 2000, as a quotient of three binomial probabilities with p = drawn / total.
 */
export function hypergeometricPmf(x: number, marked: number, unmarked: number, drawn: number): number {
  const total = marked + unmarked
  if (drawn === 0) return x === 0 ? 1 : 0
  const p = drawn / total
  return (binomialPmf(x, marked, p) * binomialPmf(drawn - x, unmarked, p)) / binomialPmf(drawn, total, p)
}
