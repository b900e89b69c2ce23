/**
 * A sample's id is its run's with the place in the run mixed into the last 32 bits: a valid UUIDv7 that needs neither a column nor
 * an index of its own, and from which the place is read back.
 */
export function sampleId(runId: string, position: number): string {
  return runId.slice(0, 28) + mixed(runId, position)
}

/** Null when the id is not of a sample of this run. */
export function samplePosition(runId: string, id: string): number | null {
  const own = id.toLowerCase()
  if (own.slice(0, 28) !== runId.slice(0, 28)) return null
  const position = (Number.parseInt(own.slice(28), 16) ^ Number.parseInt(runId.slice(28), 16)) >>> 0
  return mixed(runId, position) === own.slice(28) ? position : null
}

function mixed(runId: string, position: number): string {
  return ((Number.parseInt(runId.slice(28), 16) ^ position) >>> 0).toString(16).padStart(8, '0')
}
