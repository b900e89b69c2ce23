import { bundledBenchmarks } from '../../src/engine/content/benchmarks/bundled-benchmarks.ts'
import type { BenchmarkContent } from '../../src/engine/tasks/definition.ts'

/** Tasks and worked examples of a benchmark that ships with Assay. */
export function bundledContent(slug: string): BenchmarkContent {
  const benchmark = bundledBenchmarks().find(({ definition }) => definition.slug === slug)
  if (!benchmark) throw new Error(`No bundled benchmark is called ${slug}.`)
  return benchmark.content()
}
