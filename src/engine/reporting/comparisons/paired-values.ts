import type { AlignedPairing } from './align-samples.ts'

/** One value per task for two runs, over the epochs that both have a score for. */
export interface PairedValues {
  /** Places in the pairing's list of tasks. */
  readonly tasks: readonly number[]
  readonly contender: readonly number[]
  readonly baseline: readonly number[]
  /** Whether any value is a mean of several epochs. */
  readonly repeated: boolean
}

/**
 * Epochs of one task are not independent evidence, so they are averaged first and the task is the unit: with equal numbers of epochs
 * that is exactly the standard error clustered by task.
 */
export function pairValues(aligned: AlignedPairing, metric: number, contender: number, baseline = 0): PairedValues {
  return pairColumns(aligned, aligned.runs[contender]?.values[metric] ?? [], aligned.runs[baseline]?.values[metric] ?? [])
}

/** The same for any two columns of values by row, NaN where there is none. */
export function pairColumns(
  { taskOf, tasks }: Pick<AlignedPairing, 'taskOf' | 'tasks'>,
  ofContender: readonly number[],
  ofBaseline: readonly number[],
): PairedValues {
  const counts = new Int32Array(tasks.length)
  const sums = [new Float64Array(tasks.length), new Float64Array(tasks.length)] as const
  for (const [row, task] of taskOf.entries()) {
    const a = ofContender[row] ?? Number.NaN
    const b = ofBaseline[row] ?? Number.NaN
    if (Number.isNaN(a) || Number.isNaN(b)) continue
    counts[task] = (counts[task] ?? 0) + 1
    sums[0][task] = (sums[0][task] ?? 0) + a
    sums[1][task] = (sums[1][task] ?? 0) + b
  }
  const compared: number[] = []
  const means: [number[], number[]] = [[], []]
  let repeated = false
  for (const [task, count] of counts.entries()) {
    if (count === 0) continue
    compared.push(task)
    means[0].push((sums[0][task] ?? 0) / count)
    means[1].push((sums[1][task] ?? 0) / count)
    repeated ||= count > 1
  }
  return { tasks: compared, contender: means[0], baseline: means[1], repeated }
}

/** For each of these tasks the rows that both runs have a score for. */
export function pairedRows({ runs, taskOf }: AlignedPairing, metric: number, contender: number, tasks: readonly number[]): number[][] {
  const columns = [runs[contender]?.values[metric] ?? [], runs[0]?.values[metric] ?? []]
  const rows = Map.groupBy(
    [...taskOf.keys()].filter(row => columns.every(column => !Number.isNaN(column[row] ?? Number.NaN))),
    row => taskOf[row] ?? -1,
  )
  return tasks.map(task => rows.get(task) ?? [])
}

/** Mean of each task over the epochs that a run scored; NaN where none was. */
export function taskMeans({ runs, taskOf, tasks }: AlignedPairing, metric: number, run: number): Float64Array {
  const values = runs[run]?.values[metric] ?? []
  const counts = new Int32Array(tasks.length)
  const sums = new Float64Array(tasks.length)
  for (const [row, task] of taskOf.entries()) {
    const value = values[row] ?? Number.NaN
    if (Number.isNaN(value)) continue
    counts[task] = (counts[task] ?? 0) + 1
    sums[task] = (sums[task] ?? 0) + value
  }
  return sums.map((sum, task) => sum / (counts[task] ?? 0))
}
