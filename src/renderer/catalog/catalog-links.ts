/** Address of a benchmark's page. */
export function benchmarkAddress(slug: string): string {
  return `/catalog/${encodeURIComponent(slug)}`
}

/** Address of an environment's page. */
export function environmentAddress(family: string): string {
  return `/catalog/environments/${encodeURIComponent(family)}`
}

/** Address of the import page, with a recipe already chosen. */
export function importAddress(recipe: string): string {
  return `/catalog/import?recipe=${encodeURIComponent(recipe)}`
}

export function quoteAddress(choice: {
  readonly profile?: string | undefined
  readonly route?: string
  readonly connection?: string
}): string {
  const words = Object.entries(choice).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return `/quotes/new?${new URLSearchParams(words).toString()}`
}
