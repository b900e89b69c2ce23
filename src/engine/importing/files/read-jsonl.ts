import type { ImportLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { readLines } from './read-lines.ts'
import { problem, RowError, type RowOrProblem } from './row.ts'

/** JSON objects, one a line. Lines of nothing but blanks are passed over. */
export async function* readJsonl(bytes: AsyncIterable<Uint8Array>, limits: ImportLimits, parse = parseJson): AsyncGenerator<RowOrProblem> {
  for await (const line of readLines(bytes, limits)) {
    if ('problem' in line) yield problem(line.number, line.problem)
    else if (line.text.trim() !== '') yield parseRow(line.number, line.text, parse)
  }
}

/** @param line where the text begins */
export function parseRow(line: number, text: string, parse = parseJson): RowOrProblem {
  try {
    const value = parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { kind: 'row', line, value: { ...value } }
    return problem(line, `An object is needed here but this is ${Array.isArray(value) ? 'a list' : JSON.stringify(value).slice(0, 40)}.`)
  } catch (error) {
    if (error instanceof RowError) return problem(line, error.message)
    throw error
  }
}
