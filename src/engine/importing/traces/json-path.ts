import { query } from 'jsonpath-rfc9535'
import parse from 'jsonpath-rfc9535/parser'

/** Why a path is no RFC 9535 path, or null. */
export function pathProblem(path: string): string | null {
  try {
    parse(path)
    return null
  } catch {
    return `"${path.slice(0, 80)}" is not a JSONPath of RFC 9535, such as $.inputs.question.`
  }
}

/** The value that a path selects; several as a list; undefined where there is none. */
export function selectValue(document: unknown, path: string): unknown {
  // The document came out of JSON, which is what the library takes.
  const found: readonly unknown[] = query(document as Parameters<typeof query>[0], path)
  return found.length > 1 ? found : found[0]
}
