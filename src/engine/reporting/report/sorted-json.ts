/** JSON with its keys sorted: the same content is the same text, whatever order it was put together in. */
export function sortedJson(value: unknown): string {
  // A replacer of JSON.stringify, which would need no copy, takes twice the time.
  return JSON.stringify(sorted(value))
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(sorted)
  // A date and whatever else says itself how it is written.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  )
}
