/** Characters of a value that tell what a column has. */
const longest = 80
/** Items of a list or an object, and of what is in it. */
const mostItems = 5

/** The query of an address, which may be a signature. */
const query = /(https?:\/\/[^\s?"']+\?)[^\s"']+/gi

/** The beginning of a value of a column as text on one line; empty where there is none. */
export function columnSample(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.slice(0, 4 * longest) : (JSON.stringify(value, shortened) ?? '')
  return text.replaceAll(/\s+/g, ' ').replaceAll(query, '$1…').trim().slice(0, longest)
}

/** Values of Parquet may be whole files. */
function shortened(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, longest)
  if (typeof value === 'bigint') return String(value)
  if (ArrayBuffer.isView(value)) return '…'
  if (Array.isArray(value)) return value.slice(0, mostItems)
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).slice(0, mostItems)) : value
}
