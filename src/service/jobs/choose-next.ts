import type { Waiting } from './jobs.store.ts'

/** How a lane treated its workspaces so far. */
export interface LaneShare {
  /** Jobs of the workspace that run now. */
  running(workspaceId: string | null): number
  /** Order in which workspaces had their last turn: higher is later, 0 never. */
  lastTurn(workspaceId: string | null): number
}

/**
 * The job to start next: of the workspace with the fewest running jobs, then of the one whose last turn is longest ago, then the oldest.
 * A workspace that queues a thousand jobs therefore delays another's first one by a single job.
 */
export function chooseNext(waiting: readonly Waiting[], share: LaneShare): Waiting | null {
  const order = (a: Waiting, b: Waiting) =>
    share.running(a.workspaceId) - share.running(b.workspaceId) ||
    share.lastTurn(a.workspaceId) - share.lastTurn(b.workspaceId) ||
    (a.id < b.id ? -1 : 1)
  return waiting.toSorted(order)[0] ?? null
}
