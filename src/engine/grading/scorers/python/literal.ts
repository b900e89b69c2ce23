import { LiteralReader } from './literal-reader.ts'
import type { PyValue } from './values.ts'

/**
 * A Python literal as `ast.literal_eval` reads it, further sums and differences of numbers, `set()`, `nan`, `inf`, and
 * `datetime.datetime(…)`, `datetime.date(…)`, `datetime.time(…)` as `repr` writes them. Names and calls of anything else are refused.
 * @returns null for text that is not such a literal
 */
export function parsePythonLiteral(text: string): PyValue | null {
  return new LiteralReader(text, 'python').readAll()
}

/** JSON as Python values: whole numbers keep every digit, and `NaN`, `Infinity` and `-Infinity` are read. Null for anything else. */
export function parseJsonLiteral(text: string): PyValue | null {
  return new LiteralReader(text, 'json').readAll()
}
