/** By the object or list that they are in, and their key there. */
const written = new WeakMap<object, Map<string, string>>()

/** Whether a text may hold a number that JavaScript writes in another way: `1.10`, `3.0`, `1e5`. */
export function mayHoldWritten(text: string): boolean {
  return /[:[,]\s*-?\d+(?:\.\d*0|(?:\.\d+)?[eE][+-]?\d+)\s*[,}\]]|\d{16}/.test(text)
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
  return Array.isArray(value) ? value.map((item: unknown, i) => fraction(item, value, String(i))) : fraction(value, row, column)
}

/** Reference answers, of which any counts: a whole number that the file writes as `3.0` counts in both forms. */
export function writtenAnswers(row: Readonly<Record<string, unknown>>, column: string): unknown {
  const value = row[column]
  if (Array.isArray(value)) return value.flatMap((item: unknown, i) => bothForms(item, value, String(i)))
  const forms = bothForms(value, row, column)
  return forms.length === 1 ? forms[0] : forms
}

function bothForms(value: unknown, holder: object, key: string): unknown[] {
  const source = written.get(holder)?.get(key)
  return Number.isSafeInteger(value) && source !== undefined ? [source, value] : [fraction(value, holder, key)]
}

function fraction(value: unknown, holder: object, key: string): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? (written.get(holder)?.get(key) ?? value) : value
}
