import { ServiceError } from '../../../contract/client.ts'
import { failedOperation } from '../../api/failed-operations.ts'

/** An address should stay one that can be sent; the whole message is found by the request id. */
const mostCharacters = 500

/** The report form with everything filled in that is known about an error. `title` says what did not work. */
export function reportAddress(error: Error, title: string): string {
  const query = new URLSearchParams({ summary: cut(title), actual: cut(error.message), page: globalThis.location.pathname })
  const operation = failedOperation(error)
  if (operation !== null) query.set('operation', operation)
  if (error instanceof ServiceError) {
    query.set('code', error.code)
    if (error.status > 0) query.set('status', String(error.status))
    if (error.requestId !== null) query.set('request', error.requestId)
  }
  return `/feedback/new?${query}`
}

/** By characters, so that none is cut in half. */
function cut(text: string): string {
  return [...text].slice(0, mostCharacters).join('')
}
