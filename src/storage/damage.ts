/** Whether an error says that the content of a database is wrong, and not that it could not be read for another reason. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^SQLITE_(?:CORRUPT|NOTADB)/.test(String(error.code))
}
