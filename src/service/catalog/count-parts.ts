import type { BenchmarkParts } from '../../contract/catalog/benchmarks.schemas.ts'
import type { RecipeParts } from '../../engine/importing/recipes/recipe.ts'

/** Which parts of a benchmark a version has. @param counts tasks by part */
export function describeParts({ by, tasks }: RecipeParts, counts: ReadonlyMap<string, number>): BenchmarkParts {
  const known = Object.entries(tasks)
  const present = known.flatMap(([name, expected]) => {
    const count = counts.get(name) ?? 0
    return count === 0 ? [] : [{ name, tasks: count, expected }]
  })
  return {
    by,
    present,
    missing: known.map(([name]) => name).filter(name => !counts.has(name)),
    complete: present.length === known.length && present.every(part => part.expected === null || part.tasks >= part.expected),
  }
}
