import { reprFloat } from '../../grading/scorers/python/numbers.ts'
import { pythonFloat } from '../templates/whole-float.ts'

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

/** A cell of a row, and its name in another one. */
interface NamedCell {
  readonly name: string
  readonly row: object
  readonly key: string
  readonly value: unknown
}

export function cellsOf(row: object, nameOf: (key: string) => string = key => key): readonly NamedCell[] {
  return Object.entries(row).map(([key, value]) => ({ name: nameOf(key), row, key, value }))
}

/** A row of cells of others, whose numbers are of the same text. */
export function rowOfCells(cells: readonly NamedCell[]): Record<string, unknown> {
  const row: Record<string, unknown> = Object.fromEntries(cells.map(({ name, value }) => [name, value]))
  const sources = cells.flatMap(({ name, row: from, key }) => {
    const source = written.get(from)?.get(key)
    return source === undefined ? [] : [[name, source] as const]
  })
  if (sources.length > 0) written.set(row, new Map(sources))
  return row
}

/**
 * Whether `3.0` is 3, since programs write it so where a column of numbers has gaps, or is as the file has it, or as Python's `str` writes
 * what its `json` reads: `1.10` is 1.1, `1e5` is 100000.0.
 */
export type Whole = 'as digits' | 'as written' | 'as Python'

/** A cell that is compared as text: its numbers, also those of a list, as the file writes them (`1.10`, `1e5`). */
export function writtenCell(row: Readonly<Record<string, unknown>>, column: string, whole: Whole = 'as digits'): unknown {
  const value = row[column]
  return Array.isArray(value) ? writtenItems(value, whole) : asWritten(value, row, column, whole)
}

/** Likewise for a list wherever it is in a row. */
export function writtenItems(list: readonly unknown[], whole: Whole = 'as digits'): unknown[] {
  return list.map((item, i) => asWritten(item, list, String(i), whole))
}

function asWritten(value: unknown, holder: object, key: string, whole: Whole): unknown {
  const source = typeof value === 'number' ? written.get(holder)?.get(key) : undefined
  if (whole === 'as Python' && typeof value === 'number') return pythonNumber(value, source)
  return source === undefined || (whole === 'as digits' && /^-?\d+\.0+$/.test(source)) ? value : source
}

/** Whether a file writes a number with a point or an exponent: Python reads a float. */
export function isWrittenAsFloat(holder: object, key: string): boolean {
  return /[.eE]/.test(written.get(holder)?.get(key) ?? '')
}

/** A row whose whole numbers are floats of Python where the file writes them so (`1.0`, `1e5`), also within lists and objects. */
export function withPythonFloats(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, pythonFloats(value, row, key)]))
}

function pythonFloats(value: unknown, holder: object, key: string): unknown {
  if (typeof value === 'number') return isWrittenAsFloat(holder, key) ? pythonFloat(value) : value
  if (Array.isArray(value)) return value.map((item: unknown, i) => pythonFloats(item, value, String(i)))
  return isPlainObject(value) ? withPythonFloats(value) : value
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)
}

/** @param source as a file writes it, where JavaScript writes it in another way */
function pythonNumber(value: number, source = String(value)): string {
  return /[.eE]/.test(source) ? reprFloat(value) : String(value)
}
