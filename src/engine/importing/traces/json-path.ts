import { query } from 'jsonpath-rfc9535'
import parse from 'jsonpath-rfc9535/parser'

/** Segments that look at everything below a value: each multiplies the values that are looked at. */
const mostDescents = 2

/**
 * Why a path is not taken, or null. Functions of RFC 9535 are refused: `match` and `search` run a pattern of the path's author on an engine
 * that can take any time.
 */
export function pathProblem(path: string): string | null {
  let parsed: unknown
  try {
    parsed = parse(path)
  } catch {
    return `"${path.slice(0, 80)}" is not a JSONPath of RFC 9535, such as $.inputs.question.`
  }
  const types = [...JSON.stringify(parsed).matchAll(/"type":"(\w+)"/g)].map(([, type]) => type)
  if (types.includes('FunctionExpr'))
    return `"${path.slice(0, 80)}" calls a function in a filter, which is not available. Compare values instead, such as $.messages[?@.role == 'user'].`
  if (types.filter(type => type === 'DescendantSegment').length > mostDescents)
    return `"${path.slice(0, 80)}" descends more than ${mostDescents} times with "..". Name the fields between.`
  return null
}

/** The value that a path selects; several as a list; undefined where there is none. */
export function selectValue(document: unknown, path: string): unknown {
  // Paths are checked where they are taken in; one that was stored before is held to the same.
  if (pathProblem(path) !== null) return undefined
  // The document came out of JSON, which is what the library takes.
  const found: readonly unknown[] = query(document as Parameters<typeof query>[0], path)
  return found.length > 1 ? found : found[0]
}
