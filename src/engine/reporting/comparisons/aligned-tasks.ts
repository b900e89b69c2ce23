import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { taskChanges } from '../../../contract/comparisons/comparisons.schemas.ts'
import { sampleStates } from '../../../contract/runs/run.machine.ts'

/** The aligned tasks of a stored comparison, column by column: a hundred thousand of them are read in milliseconds. */
export interface AlignedTasks {
  readonly count: number
  /** Number of the task in the database. */
  readonly taskNo: Uint32Array
  /** Place of its profile in the comparison's list. */
  readonly profile: Uint8Array
  /** By run: mean primary value over the epochs scored; NaN where there is none. */
  readonly values: readonly Float64Array[]
  /** By run: place of the first epoch among the run's samples; -1 where the run does not have the task. */
  readonly positions: readonly Int32Array[]
  /** By run: place of the first epoch's status in `sampleStates`; 255 where the run does not have the task. */
  readonly statuses: readonly Uint8Array[]
  /** By contender: place in `taskChanges`. */
  readonly changes: readonly Uint8Array[]
}

const header = 8

/** @throws RangeError when the runs are not one more than the contenders' columns */
export function packAlignedTasks(tasks: AlignedTasks): Uint8Array {
  const { count, values } = tasks
  if (tasks.changes.length !== values.length - 1)
    throw new RangeError(`${values.length} runs have ${tasks.changes.length} columns of changes; every run but the baseline needs one.`)
  const head = new Uint32Array([count, values.length])
  const columns = [head, ...values, ...tasks.positions, tasks.taskNo, tasks.profile, ...tasks.statuses, ...tasks.changes]
  return zstdCompressSync(Buffer.concat(columns.map(column => Buffer.from(column.buffer, column.byteOffset, column.byteLength))))
}

export function unpackAlignedTasks(packed: Uint8Array): AlignedTasks {
  const plain = zstdDecompressSync(packed)
  // Into a new buffer: typed arrays must be aligned to their element size.
  const { buffer } = Uint8Array.from(plain)
  const [count = 0, runs = 0] = new Uint32Array(buffer, 0, 2)
  let offset = header
  const advance = (bytes: number): number => {
    const from = offset
    offset += bytes
    if (offset > buffer.byteLength) throw new RangeError('The aligned tasks are cut off.')
    return from
  }
  const bytes = () => new Uint8Array(buffer, advance(count), count)
  const each = <Column>(length: number, column: () => Column) => Array.from({ length }, column)
  const values = each(runs, () => new Float64Array(buffer, advance(count * 8), count))
  const positions = each(runs, () => new Int32Array(buffer, advance(count * 4), count))
  const taskNo = new Uint32Array(buffer, advance(count * 4), count)
  return { count, values, positions, taskNo, profile: bytes(), statuses: each(runs, bytes), changes: each(runs - 1, bytes) }
}

/** What became of a task: the sign of the difference over common epochs, or null where there are none. */
export function changeOf(difference: number | null, baseline: number): number {
  const name =
    difference === null
      ? 'not_compared'
      : difference > 0
        ? 'gained'
        : difference < 0
          ? 'lost'
          : baseline >= 1
            ? 'both_passed'
            : 'both_failed'
  return taskChanges.indexOf(name)
}

export function statusCode(status: (typeof sampleStates)[number] | null): number {
  return status === null ? 255 : sampleStates.indexOf(status)
}
