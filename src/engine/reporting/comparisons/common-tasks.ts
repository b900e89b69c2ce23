import type { AlignedPairing } from './align-samples.ts'
import { clusterTasks } from './cluster-tasks.ts'
import { pool } from './measure-contender.ts'
import { figureOfTasks } from './task-figures.ts'
import { type CommonTasks, commonRows } from './trade-off.ts'

/** What every run scored: one value per run and task, the mean over the epochs that all of them scored. */
export function gatherCommonTasks(pairings: readonly AlignedPairing[], runs: number, clusterBy: string | null): CommonTasks {
  const parts = pairings.map(aligned => {
    const { pairing, taskOf, tasks } = aligned
    const rowsOf = Map.groupBy(commonRows(aligned), row => taskOf[row] ?? -1)
    const values = Array.from({ length: runs }, (_, run) => {
      const column = aligned.runs[run]?.values[pairing.primary] ?? []
      return [...rowsOf.values()].map(rows => rows.reduce((sum, row) => sum + (column[row] ?? Number.NaN), 0) / rows.length)
    })
    const binary = (pairing.metrics[pairing.primary]?.metric.binary ?? false) && [...rowsOf.values()].every(rows => rows.length === 1)
    const clusters = clusterTasks(
      [...rowsOf.keys()].flatMap(task => tasks[task]?.tags ?? []),
      clusterBy,
    )
    const figures = Array.from({ length: runs }, (_, run) => figureOfTasks(aligned, pairing.primary, run, [...rowsOf.values()]))
    return { values, binary, clusters, figures }
  })
  // The clusters of one run's values are those of every run's.
  const { binary, clusters } = pool(
    parts.map(part => ({ contender: part.values[0] ?? [], baseline: [], binary: part.binary, clusters: part.clusters })),
  )
  const [only, second] = parts
  const figures = only && !second ? only.figures.filter(figureOf => figureOf !== null) : []
  return {
    values: Array.from({ length: runs }, (_, run) => parts.flatMap(part => part.values[run] ?? [])),
    binary,
    clusters,
    figures: figures.length === runs ? figures : null,
  }
}
