import { bundledBenchmarks } from '../../engine/content/benchmarks/bundled-benchmarks.ts'
import { findFamily } from '../../engine/execution/environments/families/families.ts'
import { findRecipe } from '../../engine/importing/recipes/recipes.ts'

/** Whether a benchmark that Assay ships or has a recipe for is called so. */
export function isKnownSlug(slug: string): boolean {
  return findRecipe(slug) !== null || bundledBenchmarks().some(benchmark => benchmark.definition.slug === slug) || findFamily(slug) !== null
}
