import type { JobOwner } from '../../contract/jobs/jobs.schemas.ts'
import type { RunFilter } from '../../contract/runs/run-filter.schemas.ts'
import { type Kernel, timestamp } from '../kernel.ts'
import type { RunDeletion } from './delete-run.ts'
import type { LiveRuns } from './live-runs.ts'
import { matchingRunIds } from './matching-runs.store.ts'
import { type RunRow, updateRun } from './runs.store.ts'

interface Dependencies {
  readonly live: Pick<LiveRuns, 'announce'>
  readonly deletion: Pick<RunDeletion, 'require' | 'delete'>
  readonly rowOf: (workspaceId: string, id: string) => RunRow
}

/** What is done to several runs of a workspace at once. Each throws an ApiError for an unknown run. */
export function createSeveralRuns({ db, clock }: Kernel, { live, deletion, rowOf }: Dependencies) {
  const rowsOf = (workspaceId: string, ids: readonly string[]) => ids.map(id => rowOf(workspaceId, id))
  return {
    /** Ids of the runs that the list shows with a filter, newest first. */
    matching: (workspaceId: string, filter: RunFilter): string[] => matchingRunIds(db, workspaceId, filter),
    nameOf: (workspaceId: string, id: string): string => rowOf(workspaceId, id).name,
    /** In the caller's transaction. */
    archive: (workspaceId: string, ids: readonly string[], isArchived: boolean): void => {
      for (const { no, archived_at: before } of rowsOf(workspaceId, ids)) {
        updateRun(db, no, { archived_at: isArchived ? (before ?? timestamp(clock)) : null })
        db.afterCommit(() => live.announce(no))
      }
    },
    /** @throws ApiError where the run may not be deleted now */
    requireDeletable: (workspaceId: string, id: string): void => deletion.require(rowOf(workspaceId, id)),
    /** By one job. @throws ApiError where one of the runs may not be deleted now */
    delete: (workspaceId: string, ids: readonly string[], owner: JobOwner): void => deletion.delete(rowsOf(workspaceId, ids), owner),
  }
}
