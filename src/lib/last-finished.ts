interface Finished {
  readonly finished_at: string | null
}

/** When a run ended, or the last of its retries that has; null until the run itself has ended. */
export function lastFinished({ finished_at: own, parts }: Finished & { readonly parts: readonly Finished[] }): string | null {
  if (own === null) return null
  return [own, ...parts.flatMap(part => part.finished_at ?? [])].toSorted().at(-1) ?? own
}
