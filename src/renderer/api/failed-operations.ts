import type { OperationId } from '../../contract/api.ts'

const operations = new WeakMap<Error, OperationId>()

/** Notes which operation an error came from, so that a report of it can name the route. */
export function noteFailedOperation(error: unknown, id: OperationId): void {
  if (error instanceof Error) operations.set(error, id)
}

export function failedOperation(error: Error): OperationId | null {
  return operations.get(error) ?? null
}
