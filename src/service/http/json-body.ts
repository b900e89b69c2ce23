import { ApiError } from '../../contract/index.ts'
import { checkJson } from './check-json.ts'

/** A byte order mark stays and is refused: JSON has none. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Parses a request body strictly. @throws ApiError malformed_json */
export function parseJsonBody(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  checkJson(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError('malformed_json', `The body is not valid JSON: ${error instanceof Error ? error.message : 'unknown error'}`)
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ApiError('malformed_json', 'The body is not valid UTF-8.')
  }
}
