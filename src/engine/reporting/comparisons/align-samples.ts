import { isOfValues } from '../../grading/scorers/aggregate-counts.ts'
import type { SampleStatus } from '../../../contract/runs/run.machine.ts'
import { givesLabels } from '../results/label-shares.ts'
import type { Pairing } from './pair-profiles.ts'
import type { TaskTags } from './task-tags.ts'

/** A sample as a comparison reads it. */
export interface SampleFacts {
  readonly position: number
  readonly profileNo: number
  readonly taskNo: number
  readonly taskId: string
  readonly epoch: number
  readonly status: SampleStatus
  readonly latencyMs: number | null
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly tags: TaskTags
  /** By metric number; empty where it was not scored. */
  readonly values: readonly (number | null)[]
  /** By metric number: what a score adds to its run's figure, where that is not a mean. */
  readonly counts?: readonly (ScoreCounts | null | undefined)[]
  /** By metric number: the verdict in words. */
  readonly labels?: readonly (string | null | undefined)[]
}

/** What a score adds to its run's figure, by name. */
export type ScoreCounts = Readonly<Record<string, number>>

/** A task that any of the runs has. */
export interface AlignedTask {
  readonly no: number
  readonly id: string
  readonly tags: TaskTags
}

/** What one run has of a pairing. Rows and tasks that it does not have hold NaN, -1 and null. */
interface RunColumns {
  /** By the pairing's metric, then by row. */
  readonly values: readonly number[][]
  /** Likewise; empty for metrics that need none. */
  readonly counts: readonly (ScoreCounts | null)[][]
  /** Likewise; empty for metrics that give none. */
  readonly labels: readonly (string | null)[][]
  readonly latencyMs: number[]
  readonly inputTokens: number[]
  readonly outputTokens: number[]
  /** Of the first epoch, by task. */
  readonly positions: number[]
  readonly statuses: (SampleStatus | null)[]
}

/** The samples of all runs that belong to one pairing, a row for each task and epoch that any of them has. */
export interface AlignedPairing {
  readonly pairing: Pairing
  /** In the order of the baseline's samples, then of those that only contenders have. */
  readonly tasks: readonly AlignedTask[]
  /** Task of each row. */
  readonly taskOf: readonly number[]
  readonly runs: readonly RunColumns[]
}

/** Above the most that a run may have, so that task and epoch make one number. */
const mostEpochs = 1000

/** Puts samples of several runs side by side by task id and epoch; tasks of one pairing are of one source version. */
export function alignSamples(pairings: readonly Pairing[], runs: readonly Iterable<SampleFacts>[]): AlignedPairing[] {
  const tables = pairings.map(pairing => createTable(pairing, runs.length))
  for (const [runNo, samples] of runs.entries()) {
    const tableOf = new Map(
      pairings.flatMap((pairing, i) => (pairing.profileNos[runNo] == null ? [] : [[pairing.profileNos[runNo], tables[i]] as const])),
    )
    for (const sample of samples) tableOf.get(sample.profileNo)?.add(runNo, sample)
  }
  return tables.map(table => table.finish())
}

function createTable(pairing: Pairing, runCount: number) {
  const taskNumbers = new Map<string, number>()
  const rowNumbers = new Map<number, number>()
  const tasks: AlignedTask[] = []
  const taskOf: number[] = []
  const runs = Array.from(
    { length: runCount },
    (): RunColumns => ({
      values: pairing.metrics.map(() => []),
      counts: pairing.metrics.map(() => []),
      labels: pairing.metrics.map(() => []),
      latencyMs: [],
      inputTokens: [],
      outputTokens: [],
      positions: [],
      statuses: [],
    }),
  )
  const taskNumber = (sample: SampleFacts): number => {
    const known = taskNumbers.get(sample.taskId)
    if (known !== undefined) return known
    taskNumbers.set(sample.taskId, tasks.length)
    return tasks.push({ no: sample.taskNo, id: sample.taskId, tags: sample.tags }) - 1
  }
  const rowNumber = (task: number, epoch: number): number => {
    const key = task * mostEpochs + epoch
    const known = rowNumbers.get(key)
    if (known !== undefined) return known
    rowNumbers.set(key, taskOf.length)
    return taskOf.push(task) - 1
  }
  return {
    add: (runNo: number, sample: SampleFacts) => {
      const columns = runs[runNo]
      if (!columns) return
      const task = taskNumber(sample)
      const row = rowNumber(task, sample.epoch)
      for (const [i, { metric, numbers }] of pairing.metrics.entries()) {
        const number = numbers[runNo]
        put(columns.values[i], row, number == null ? null : sample.values[number])
        const labels = columns.labels[i]
        if (number != null && labels && givesLabels(metric)) {
          fill(labels, row, null)
          labels[row] = sample.labels?.[number] ?? null
        }
        const counts = columns.counts[i]
        if (number == null || !counts || isOfValues(metric)) continue
        fill(counts, row, null)
        counts[row] = sample.counts?.[number] ?? null
      }
      put(columns.latencyMs, row, sample.latencyMs)
      put(columns.inputTokens, row, sample.inputTokens)
      put(columns.outputTokens, row, sample.outputTokens)
      const first = columns.positions[task]
      if (first !== undefined && first >= 0 && first <= sample.position) return
      fill(columns.positions, task, -1)
      fill(columns.statuses, task, null)
      columns.positions[task] = sample.position
      columns.statuses[task] = sample.status
    },
    finish: (): AlignedPairing => {
      for (const { values, labels, latencyMs, inputTokens, outputTokens, positions, statuses } of runs) {
        for (const column of [...values, latencyMs, inputTokens, outputTokens]) fill(column, taskOf.length, Number.NaN)
        for (const column of labels) fill(column, taskOf.length, null)
        fill(positions, tasks.length, -1)
        fill(statuses, tasks.length, null)
      }
      return { pairing, tasks, taskOf, runs }
    },
  }
}

function put(column: number[] | undefined, row: number, value: number | null | undefined): void {
  if (!column) return
  fill(column, row, Number.NaN)
  column[row] = value ?? Number.NaN
}

/** Lengthens a list without leaving holes. */
function fill<T>(list: T[], length: number, value: T): void {
  while (list.length < length) list.push(value)
}
