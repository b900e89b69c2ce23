import { ApiError } from '../../contract/index.ts'

const maxDepth = 64
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a request body. Deeper nesting than 64 is refused, since JSON.parse would take it and every later JSON.stringify fail;
 * so are `__proto__` keys, which poison objects that are merged.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.')
  }
  checkDepth(text)
  try {
    return JSON.parse(text, refuseProto)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('malformed_json', `The body is not valid JSON: ${error instanceof Error ? error.message : 'unknown error'}`)
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new ApiError('malformed_json', 'The body holds a key "__proto__", which is refused.')
  return value
}

function checkDepth(text: string): void {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === 0x5c) i++
      else if (c === 0x22) inString = false
    } else if (c === 0x22) inString = true
    else if (c === 0x7b || c === 0x5b) {
      if (++depth > maxDepth) throw new ApiError('malformed_json', `The body is nested deeper than ${maxDepth} levels.`)
    } else if (c === 0x7d || c === 0x5d) depth--
  }
}
