import type { Benchmark } from '../../contract/catalog/benchmarks.schemas.ts'

export interface FacetOption {
  readonly value: string
  readonly label: string
}

export interface FacetChoice {
  readonly runner: string
  readonly capability: string
  readonly status: string
  readonly runnable: boolean
}

type Facet = 'runner' | 'capability' | 'status'

const valuesOf: Readonly<Record<Facet, (benchmark: Benchmark) => readonly string[]>> = {
  runner: benchmark => [benchmark.runner],
  capability: benchmark => benchmark.capabilities,
  status: benchmark => [benchmark.status],
}

export function isRunnable(benchmark: Benchmark): boolean {
  return benchmark.quote_availability.status === 'ready_for_quote'
}

/** Benchmarks that keep every choice; an empty choice means any. */
export function applyFacets(benchmarks: readonly Benchmark[], choice: FacetChoice): readonly Benchmark[] {
  return benchmarks.filter(
    benchmark =>
      (!choice.runnable || isRunnable(benchmark)) &&
      (['runner', 'capability', 'status'] as const).every(
        facet => choice[facet] === '' || valuesOf[facet](benchmark).includes(choice[facet]),
      ),
  )
}

/** The values of one facet with the number of benchmarks that the other choices leave for each, most first. */
export function facetOptions(benchmarks: readonly Benchmark[], choice: FacetChoice, facet: Facet): readonly FacetOption[] {
  const counts = new Map<string, number>()
  for (const benchmark of applyFacets(benchmarks, { ...choice, [facet]: '' })) {
    for (const value of valuesOf[facet](benchmark)) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || a.localeCompare(b, 'en'))
    .map(([value, count]) => ({ value, label: `${value} (${count})` }))
}
