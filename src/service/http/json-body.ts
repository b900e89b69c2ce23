import { mendJson } from '../../lib/mend-json.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ApiError } from '../../contract/errors.ts'
import { checkJson } from './check-json.ts'

/** A byte order mark stays and is refused: JSON has none. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes from which on a body is read in steps, between which others are served. */
export const manyBytes = 256 * 1024

/** Parses a request body strictly. @throws ApiError malformed_json */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  checkJson(text)
  return parsed(text)
}

/** The same, a long one in steps. @throws ApiError malformed_json */
export async function readJsonBody(bytes: Uint8Array): Promise<unknown> {
  if (bytes.length <= manyBytes) return parseJsonBody(bytes)
  const text = decode(bytes)
  await nextTurn()
  checkJson(text)
  await nextTurn()
  return parsed(text)
}

function parsed(text: string): unknown {
  try {
    return wellFormed(text, JSON.parse(text))
  } catch (error) {
    const fault = error instanceof SyntaxError ? mendJson(text) : error instanceof Error ? error.message : ''
    throw new ApiError('malformed_json', `The body is not valid JSON. ${fault}`)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.')
  }
}

/** Half of a surrogate pair can only come as an escape, since the bytes are UTF-8. */
const surrogateEscape = /\\u[dD][89a-fA-F]/

/** The value with U+FFFD for halves of surrogate pairs, as the database keeps them, so that digests are of what is stored. */
function wellFormed(text: string, value: unknown): unknown {
  return surrogateEscape.test(text) ? mend(value) : value
}

function mend(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mend)
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key.toWellFormed(), mend(held)]))
}
