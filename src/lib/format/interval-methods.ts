import { showHidden } from './visible-text.ts'

const names: Record<string, string> = {
  wilson: 'Wilson score',
  wilson_cr1: 'Wilson score, clustered (CR1)',
  wilson_clusters: 'Wilson score over clusters',
  t: 'Student t',
  mcnemar_exact: 'Tango, widened to agree with the exact test',
  mover: 'Recovered from the groups’ own intervals (MOVER)',
  cr1_t: 'Student t, clustered (CR1)',
  bootstrap: 'Bootstrap over tasks',
  paired_bootstrap: 'Paired bootstrap over tasks',
}

/** How an interval's method is called in words; one that is not known here keeps its own name. */
export function methodName(method: string): string {
  return Object.hasOwn(names, method) ? (names[method] ?? method) : showHidden(method)
}
