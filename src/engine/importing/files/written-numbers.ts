/** By the object or list that they are in, and their key there. */
const written = new WeakMap<object, Map<string, string>>()

/** Whether a text may hold a number that JavaScript writes in another way: `1.10`, `3.0`, `1e5`, `0.0000001`. */
export function mayHoldWritten(text: string): boolean {
  return /[:[,]\s*-?\d+(?:\.\d*0|\.0{6}\d+|(?:\.\d+)?[eE][+-]?\d+)\s*[,}\]]|\d{16}/.test(text)
}

export function keepWritten(holder: object, key: string, value: number, source: string): void {
  if (String(value) === source) return
  const kept = written.get(holder)
  if (kept) kept.set(key, source)
  else written.set(holder, new Map([[key, source]]))
}

/** A copy of a row is of the same text. */
export function copyOfRow(row: object): Record<string, unknown> {
  const copy: Record<string, unknown> = { ...row }
  const kept = written.get(row)
  if (kept) written.set(copy, kept)
  return copy
}

/**
 * A cell that is compared as text: its fractions, also those of a list, as the file writes them (`1.10`). A whole number is its digits, since
 * programs write 3 as 3.0 where a column has gaps.
 */
export function writtenCell(row: Readonly<Record<string, unknown>>, column: string): unknown {
  const value = row[column]
  return Array.isArray(value) ? writtenItems(value) : fraction(value, row, column)
}

/** Likewise for a list wherever it is in a row. */
export function writtenItems(list: readonly unknown[]): unknown[] {
  return list.map((item, i) => fraction(item, list, String(i)))
}

function fraction(value: unknown, holder: object, key: string): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? (written.get(holder)?.get(key) ?? value) : value
}
