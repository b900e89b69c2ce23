/**
 * A row of comma-separated values as promptfoo's `contains-any` reads a text: values may be in double quotes with `\"`, `\\` and
 * `""` in them; spaces around a value do not count.
 * @throws Error for text between a closing quote and the next comma
 */
export function parseCsvRow(row: string): readonly string[] {
  const values: string[] = []
  for (let at = 0; at <= row.length; ) {
    while (row[at] === ' ') at++
    if (row[at] === '"') {
      const { value, end } = quoted(row, at + 1)
      values.push(value)
      const comma = row.indexOf(',', end)
      const rest = row.slice(end, comma < 0 ? undefined : comma)
      if (rest.trim() !== '') throw new Error(`A comma must follow the quoted value ${JSON.stringify(value)}, not ${JSON.stringify(rest)}.`)
      at = comma < 0 ? row.length + 1 : comma + 1
    } else {
      const comma = row.indexOf(',', at)
      values.push(row.slice(at, comma < 0 ? undefined : comma).trim())
      at = comma < 0 ? row.length + 1 : comma + 1
    }
  }
  return values
}

function quoted(row: string, from: number): { value: string; end: number } {
  let value = ''
  for (let i = from; i < row.length; i++) {
    const pair = row.slice(i, i + 2)
    if (pair === '\\"' || pair === '\\\\' || pair === '""') {
      value += pair.charAt(1)
      i++
    } else if (row[i] === '"') return { value, end: i + 1 }
    else value += row[i]
  }
  throw new Error(`The quoted value ${JSON.stringify(value)} is not closed.`)
}
