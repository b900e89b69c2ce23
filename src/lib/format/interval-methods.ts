import { showHidden } from './visible-text.ts'

const names: Record<string, string> = {
  wilson: 'Wilson score',
  wilson_cr1: 'Wilson score, effective sample size',
  wilson_clusters: 'Wilson score over clusters',
  t: 'Student t',
  tango: 'Tango score',
  paired_t: 'Student t, paired',
  bootstrap_bca: 'Bootstrap (BCa)',
  mcnemar_exact: 'Tango, widened to agree with the exact test',
  mover: 'Recovered from the groups’ own intervals (MOVER)',
  cr1_t: 'Student t, clustered (CR1)',
  bootstrap: 'Bootstrap over tasks',
  paired_bootstrap: 'Paired bootstrap over tasks',
}

/** ` Intervals: Tango score.`, after a sentence about figures that are read beside each other; nothing where none has an interval. */
export function namedMethods(figures: readonly { readonly interval: { readonly method: string } | null }[]): string {
  const found = new Set(figures.flatMap(({ interval }) => (interval ? [methodName(interval.method)] : [])))
  return found.size === 0 ? '' : ` Intervals: ${[...found].join('; ')}.`
}

/** How an interval's method is called in words; one that is not known here keeps its own name. */
export function methodName(method: string): string {
  return Object.hasOwn(names, method) ? (names[method] ?? method) : showHidden(method)
}
