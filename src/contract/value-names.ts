/** What people call the types of JSON. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const longest = 60

/** A value as an error names it: scalars as they are, cut at 60 characters, and no content of lists and objects. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  return value.length > longest ? `${JSON.stringify(value.slice(0, longest))}…` : JSON.stringify(value)
}
