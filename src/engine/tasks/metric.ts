import type { Metric } from '../../contract/catalog/benchmarks.schemas.ts'

/** A metric whose values are 0 or 1, not primary unless said so. The scorer's version is filled in where the scorer is known. */
export function binaryMetric(id: string, title: string, scorer: string, more: Partial<Pick<Metric, 'options' | 'primary'>> = {}): Metric {
  return { id, title, scorer, scorer_version: 1, options: {}, binary: true, primary: false, ...more }
}
