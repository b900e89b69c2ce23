export interface Sort {
  readonly column: string
  readonly descending: boolean
}

/** As written in an address: `latency` or `-latency`. */
export function parseSort(text: string | null): Sort | null {
  if (!text) return null
  return text.startsWith('-') ? { column: text.slice(1), descending: true } : { column: text, descending: false }
}

export function formatSort(sort: Sort | null): string | null {
  return sort ? `${sort.descending ? '-' : ''}${sort.column}` : null
}

/** A click on a heading: ascending, descending, back to the table's own order. */
export function nextSort(sort: Sort | null, column: string): Sort | null {
  if (sort?.column !== column) return { column, descending: false }
  return sort.descending ? null : { column, descending: true }
}

/** Nulls last in both directions: a missing value is neither small nor big. */
export function compareValues(a: string | number | null, b: string | number | null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), 'en', { numeric: true, sensitivity: 'base' })
}
