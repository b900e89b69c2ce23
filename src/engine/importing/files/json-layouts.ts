import { parseJson } from './parse-json.ts'
import { RowError, type RowOrProblem } from './row.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The rows of a table that JSON holds in another way than as a list of objects: as pandas writes it (`{"column": {"0": …}}`, or
 * `{"columns": […], "data": [[…]]}`), as lists by column, as objects by their ids, or as texts by them, which are outputs. Items are counted as lines. Null for anything else.
 */
export function rowsOfLayout(text: string): RowOrProblem[] | null {
  const value = parsed(text)
  if (!isObject(value)) return null
  const rows = splitRows(value) ?? columnRows(value) ?? namedRows(value) ?? namedOutputs(value)
  return rows?.map((row, i) => ({ kind: 'row', line: i + 1, value: row })) ?? null
}

function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof RowError) return null
    throw error
  }
}

function splitRows({ columns, data }: Fields): Fields[] | null {
  if (!Array.isArray(columns) || !Array.isArray(data)) return null
  const names = columns.map(String)
  if (new Set(names).size !== names.length || !data.every(row => Array.isArray(row) && row.length === names.length)) return null
  return data.map((row: readonly unknown[]) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
}

function columnRows(value: Fields): Fields[] | null {
  const columns = Object.entries(value).map(([name, cells]) => ({ name, cells: cellsOf(cells) }))
  const [first] = columns
  if (!first?.cells || columns.length < 2) return null
  const keys = [...first.cells.keys()]
  if (keys.length === 0 || !columns.every(({ cells }) => cells?.size === keys.length && keys.every(key => cells.has(key)))) return null
  return keys.map(key => Object.fromEntries(columns.map(({ name, cells }) => [name, cells?.get(key)])))
}

/** By row number; null for what is not a column. */
function cellsOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((cell: unknown, i) => [String(i), cell]))
  if (!isObject(value)) return null
  const entries = Object.entries(value)
  return entries.every(([key]) => /^\d+$/.test(key)) ? new Map(entries) : null
}

/** At least two rows with the same fields, or settings would be taken for rows. */
function namedRows(value: Fields): Fields[] | null {
  const entries = Object.entries(value)
  const [first] = entries
  if (entries.length < 2 || !first || !isObject(first[1])) return null
  const names = Object.keys(first[1])
  const rows: Fields[] = []
  for (const [id, row] of entries) {
    if (!isObject(row) || !names.some(name => Object.hasOwn(row, name))) return null
    rows.push(Object.hasOwn(row, 'id') ? row : { id, ...row })
  }
  return rows
}

/** Ids have a digit, or settings would be taken for outputs. */
function namedOutputs(value: Fields): Fields[] | null {
  const entries = Object.entries(value)
  const isOutput = ([id, output]: readonly [string, unknown]): boolean => /\d/.test(id) && typeof output === 'string'
  return entries.length > 1 && entries.every(isOutput) ? entries.map(([id, output]) => ({ id, output })) : null
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
