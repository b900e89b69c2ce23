/** Milliseconds that a write waits for another program that holds the database. */
export const lockWaitMs = 5000

/** Another program, such as a backup tool, holds the database. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
