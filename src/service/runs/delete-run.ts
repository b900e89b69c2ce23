import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ApiError } from '../../contract/errors.ts'
import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { Jobs } from '../jobs/index.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import { requireAtRest } from './retry-samples.ts'
import { deletedRuns, evaluationOf, markDeleted, purgeRows } from './delete-run.store.ts'
import type { RunRow } from './runs.store.ts'
import { searchFolder } from './search-index.ts'

/** In the names of files that were made for a run or a comparison. */
const uuid = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/
/** Rows taken away in one transaction, and the milliseconds between two: the service stays responsive. */
const slice = 500
const rest = 5

const DeletionInput = z.strictObject({ runNos: z.array(z.int()) })
/** Transactions so far: a deletion that is killed often is continued as long as each start takes rows away. */
const Slices = z.int().nullable()

/** Removes deleted runs a little at a time, as jobs. */
export interface RunDeletion {
  /** @throws ApiError illegal_transition, conflict for a run that may not be deleted now */
  require(row: RunRow): void
  /** The runs are invisible from now on; one job removes their rows. @throws ApiError as `require` does */
  delete(rows: readonly RunRow[], owner: JobOwner): void
  /** In the caller's transaction: removes the rows of a run that was never seen. */
  purge(row: Pick<RunRow, 'no' | 'id' | 'workspace_id'>): void
  /** Files that were made for runs and comparisons. */
  removeFiles(ids: readonly string[]): void
  /** At start: queues what no job removes. */
  resume(): void
}

/** @param requireUnused throws for a run that another feature needs */
export function createRunDeletion(kernel: Kernel, jobs: Jobs, requireUnused: (row: RunRow) => void): RunDeletion {
  const { db, clock, config } = kernel

  const removeFiles = (ids: readonly string[]) => {
    const gone = new Set(ids)
    for (const folder of [join(config.dataDir, 'exports'), searchFolder(config.dataDir)])
      for (const name of existingNames(folder)) if (gone.has(uuid.exec(name)?.[0] ?? '')) rmSync(join(folder, name), { force: true })
  }
  jobs.register({
    kind: 'run_deletion',
    input: DeletionInput,
    lane: 'run-deletions',
    concurrency: 1,
    run: async ({ input: { runNos }, checkpoint, commit, signal }) => {
      let slices = Slices.parse(checkpoint) ?? 0
      for (const no of runNos) while (commit(() => purgeRows(db, no, slice), ++slices)) await delay(rest, undefined, { signal })
    },
    ended: (_job, { state }) => {
      if (state === 'cancelled') throw new ApiError('conflict', 'The run is deleted already; removing its rows cannot be cancelled.')
    },
    retried: () => {},
  })

  const enqueue = (workspaceId: string, no: number, id: string) =>
    void jobs.enqueue('run_deletion', { workspaceId, owner: { kind: 'service' }, input: { runNos: [no] }, subject: { type: 'run', id } })

  const require = (row: RunRow) => {
    requireAtRest(kernel, row, 'delete')
    const evaluation = evaluationOf(db, row.id)
    if (evaluation !== null)
      throw new ApiError('conflict', `The run "${row.id}" carries the evaluation "${evaluation}", so it stays. Archive it instead.`)
    requireUnused(row)
  }

  return {
    require,
    delete: (rows, owner) => {
      for (const row of rows) require(row)
      const [first] = rows
      if (first === undefined) return
      db.transaction(() => {
        const family = rows.flatMap(row => markDeleted(db, row.no, timestamp(clock)))
        const input = { runNos: family.map(({ no }) => no) }
        const subject = rows.length === 1 ? { type: 'run', id: first.id } : null
        jobs.enqueue('run_deletion', { workspaceId: first.workspace_id, owner, input, subject })
        db.afterCommit(() => removeFiles(family.map(({ id }) => id)))
      })
    },
    removeFiles,
    purge: ({ no, id, workspace_id: workspaceId }) => enqueue(workspaceId, no, id),
    resume: () => {
      if (jobs.open('run_deletion').length > 0) return
      for (const { no, id, workspaceId } of deletedRuns(db)) enqueue(workspaceId, no, id)
    },
  }
}

function existingNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    // Nothing was ever written there.
    return []
  }
}
