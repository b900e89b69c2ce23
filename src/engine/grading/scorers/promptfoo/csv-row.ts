/**
 * A row of comma-separated values as promptfoo's `contains-any` reads a text: values may be in double quotes with `\"`, `\\` and
 * `""` in them; white space around a value does not count, nor does a comma without a value before it.
 * @throws Error for text between a closing quote and the next comma
 */
export function parseCsvRow(row: string): readonly string[] {
  const values: string[] = []
  for (let at = afterBlanks(row, 0, true); at < row.length; at = afterBlanks(row, at, true)) {
    if (row[at] === '"') {
      const { value, end } = quoted(row, at + 1)
      values.push(value)
      at = afterBlanks(row, end, false)
      if (at < row.length && row[at] !== ',')
        throw new Error(`A comma must follow the quoted value ${JSON.stringify(value)}, not ${JSON.stringify(row.slice(end))}.`)
    } else {
      const comma = row.indexOf(',', at)
      const end = comma < 0 ? row.length : comma
      values.push(row.slice(at, end).trim())
      at = end
    }
  }
  return values
}

function afterBlanks(row: string, from: number, withCommas: boolean): number {
  let at = from
  while (at < row.length && ((withCommas && row[at] === ',') || /\s/.test(row.charAt(at)))) at++
  return at
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
