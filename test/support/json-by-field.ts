/** JSON in which a value of up to 200 characters stays on the line of its name, so that a changed field is a changed line. */
export function jsonByField(value: unknown, indent = ''): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || indent.length + short.length <= 200) return short
  const inner = `${indent} `
  const rows = Array.isArray(value)
    ? value.map(item => inner + jsonByField(item, inner))
    : Object.entries(value).flatMap(([key, item]) =>
        item === undefined ? [] : [`${inner}${JSON.stringify(key)}: ${jsonByField(item, inner)}`],
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${rows.join(',\n')}\n${indent}${close}`
}
