/** Facets that hold the day of a task, e.g. `2024-05-31`; the first that a task has counts. */
export const dateFacets: readonly string[] = ['date', 'contest_date']

/** The day of a task by its facets; null where it is not dated. */
export function taskDay(facets: Readonly<Record<string, string>>): string | null {
  for (const name of dateFacets) {
    const day = Object.hasOwn(facets, name) ? /^\d{4}-\d{2}-\d{2}/.exec(facets[name] ?? '')?.[0] : undefined
    if (day !== undefined) return day
  }
  return null
}

/** The facets with the month of a dated task instead of its day, by which results can be read over time. */
export function withMonth(facets: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const day = taskDay(facets)
  return day === null ? facets : { ...facets, month: day.slice(0, 7) }
}
