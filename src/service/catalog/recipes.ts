import type { BenchmarkDetail } from '../../contract/index.ts'

/** What a recipe asks for; null when the benchmark has none. */
export function recipeOf(_slug: string): BenchmarkDetail['recipe'] {
  return null
}

/** The recipe's benchmark before any data was imported; null when there is no such recipe. */
export function describeRecipe(_slug: string): BenchmarkDetail | null {
  return null
}

/** Every recipe's benchmark, before any data was imported. */
export function listedRecipes(): BenchmarkDetail[] {
  return []
}
