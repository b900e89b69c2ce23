/** One value of a dimension of a run's breakdowns. */
export interface BreakdownPart {
  readonly dimension: string
  readonly value: string
}

/** A part as addresses name it: `subject:algebra`. */
export function formatPart({ dimension, value }: BreakdownPart): string {
  return `${encodeURIComponent(dimension)}:${value}`
}

/** @param text from an address, which may be hand-edited */
export function parsePart(text: string): BreakdownPart | undefined {
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    return { dimension: decodeURIComponent(text.slice(0, colon)), value: text.slice(colon + 1) }
  } catch {
    return undefined
  }
}

/** Address of the samples of a part. */
export function partAddress(runId: string, profileId: string, part: BreakdownPart): string {
  const query = new URLSearchParams({ profile: profileId, part: formatPart(part) })
  return `/runs/${runId}/samples?${query}`
}
