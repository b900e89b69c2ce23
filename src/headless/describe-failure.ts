import { getSystemErrorMessage } from 'node:util'

/** What went wrong, for a person: a failure of the system names the file and the reason instead of the call. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const reason = ownReason(error)
  if (reason === null) return error.message
  return 'path' in error && typeof error.path === 'string' ? `${error.path}: ${reason}` : reason
}

/** The reason alone, of an error of the system or of one that it caused. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return ownReason(error) ?? (error.cause instanceof Error ? failureReason(error.cause) : error.message)
}

function ownReason(error: Error): string | null {
  return 'errno' in error && typeof error.errno === 'number' && error.errno < 0 ? getSystemErrorMessage(error.errno) : null
}
