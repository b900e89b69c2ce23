import type { ScoredOutput } from './outputs.store.ts'

/** What the drift detector takes as one score. */
export interface DriftScore {
  readonly value: number
  readonly at: string
  /** Numbers of its outputs. */
  readonly outputs: readonly number[]
}

/**
 * One score per cluster: the mean of its outputs, at the time of the first. The detector's guarantee needs scores that do not repeat
 * one another, so a cluster that it has seen before gives no further score.
 * @param outputs in time order
 * @param seen clusters of earlier workloads
 */
export function clusterScores(outputs: readonly ScoredOutput[], seen: ReadonlySet<string>): DriftScore[] {
  const groups = new Map<string, ScoredOutput[]>()
  for (const output of outputs) {
    const { cluster, no } = output
    if (cluster !== null && seen.has(cluster)) continue
    const key = cluster === null ? `output ${no}` : `cluster ${cluster}`
    const group = groups.get(key)
    if (group) group.push(output)
    else groups.set(key, [output])
  }
  return [...groups.values()].map(group => ({
    value: group.reduce((sum, { value }) => sum + value, 0) / group.length,
    at: group[0]?.at ?? '',
    outputs: group.map(({ no }) => no),
  }))
}
