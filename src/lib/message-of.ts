/** What a thrown value says: JavaScript lets anything be thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
