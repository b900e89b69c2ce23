/**
 * The one text of a JSON value by RFC 8785: no blanks, keys by their UTF-16 code units, numbers and strings as ECMAScript writes them.
 * Fields that are undefined are left out. @throws RangeError for a number that is not finite, or a lone surrogate
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be written as JSON`)
  if (typeof value === 'string' && !value.isWellFormed()) throw new RangeError('a text with a lone surrogate cannot be written as JSON')
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined)
  const sorted = fields.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${sorted.map(([key, inner]) => `${canonicalJson(key)}:${canonicalJson(inner)}`).join(',')}}`
}
