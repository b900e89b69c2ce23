import { formatNumber, noNumber } from './numbers.ts'
import { formatPercent } from './percent.ts'

/** A p-value with three decimals; one that they would show as nothing or as certain says what it is below or above. */
export function formatP(p: number | null): string {
  if (p === null) return noNumber
  if (p < 0.001) return '< 0.001'
  return p > 0.999 ? '> 0.999' : formatNumber(p, 3)
}

/** The same in a sentence: `p = 0.012`, `p < 0.001`. */
export function describeP(p: number): string {
  const text = formatP(p)
  return /^[<>]/.test(text) ? `p ${text}` : `p = ${text}`
}

/** A probability as percent; no probability that was estimated reads as impossible or certain. */
export function formatProbability(probability: number | null): string {
  if (probability === null) return noNumber
  if (probability < 0.001) return '< 0.1 %'
  return probability > 0.999 ? '> 99.9 %' : formatPercent(probability)
}

const tests: Readonly<Record<string, string>> = {
  mcnemar_exact: 'McNemar, exact',
  permutation_exact: 'permutation, exact',
  paired_t: 'paired t',
  cr1_t: 'clustered t',
  paired_bootstrap: 'paired bootstrap',
}

/** How a test is called in words. */
export function testName(test: string): string {
  return Object.hasOwn(tests, test) ? (tests[test] ?? test) : test
}
