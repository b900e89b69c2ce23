/** The place of the first sample as it is mixed in: no run has so many samples, and mixing 0 in would give the run's own id. */
const first = 0xffff_ffff

/**
 * A sample's id is its run's with the place in the run mixed into the last 32 bits: a valid UUIDv7 that needs neither a column nor
 * an index of its own, from which the place is read back, and that no run has.
 */
export function sampleId(runId: string, position: number): string {
  const place = position === 0 ? first : position
  return runId.slice(0, 28) + ((lastBits(runId) ^ place) >>> 0).toString(16).padStart(8, '0')
}

/**
 * Null when the id is not of a sample of this run. The run's own id is its first sample's: it was until 22 November 2026, and links,
 * notes and exports from before then name that sample by it.
 */
export function samplePosition(runId: string, id: string): number | null {
  const own = id.toLowerCase()
  if (own === runId) return 0
  const place = (lastBits(own) ^ lastBits(runId)) >>> 0
  const position = place === first ? 0 : place
  return sampleId(runId, position) === own ? position : null
}

function lastBits(id: string): number {
  return Number.parseInt(id.slice(28), 16)
}
