import { partLimits } from '../../contract/primitives.ts'

/** One value of a dimension of a run's breakdowns. */
export interface BreakdownPart {
  readonly dimension: string
  readonly value: string
}

/** A part as addresses name it: `subject:algebra`. Undefined for one that is too long for an address. */
export function formatPart({ dimension, value }: BreakdownPart): string | undefined {
  if (dimension.length > partLimits.dimension || value.length > partLimits.value) return undefined
  return `${encodeURIComponent(dimension)}:${value}`
}

/** @param text from an address, which may be hand-edited */
export function parsePart(text: string): BreakdownPart | undefined {
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  try {
    const part = { dimension: decodeURIComponent(text.slice(0, colon)), value: text.slice(colon + 1) }
    return formatPart(part) === undefined ? undefined : part
  } catch {
    return undefined
  }
}

/** Address of the samples of a part, if it has one. */
export function partAddress(runId: string, profileId: string, part: BreakdownPart): string | undefined {
  const text = formatPart(part)
  if (text === undefined) return undefined
  return `/runs/${runId}/samples?${new URLSearchParams({ profile: profileId, part: text })}`
}
