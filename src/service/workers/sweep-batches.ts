import type { Batches } from './batches.ts'
import type { JobQueue } from './job-queue.ts'
import { parseQueueName } from './queue-name.ts'
import type { Registry } from './registry.ts'

/** Milliseconds for which work waits for a queue that does not respond, or for workers that have a slot free and take nothing. */
const patienceMs = 20_000

export interface SweepParts {
  readonly queue: Pick<JobQueue, 'cancel' | 'ended' | 'exhausted' | 'isReachable' | 'ping'>
  readonly batches: Pick<Batches, 'giveUp' | 'heldBy' | 'open' | 'queues'>
  readonly registry: Pick<Registry, 'isPresent' | 'takers'>
  /** Milliseconds that only grow, those of the batches. */
  readonly now: () => number
  /** The workers of a queue let work lie. */
  readonly stall: (name: string) => void
}

/** Gives up the batches that no worker will do. @throws Error when the queue does not respond; nothing waits for it even then */
export async function sweepBatches(parts: SweepParts): Promise<void> {
  const { queue, batches } = parts
  const given = batches.queues().map(name => ({ name, ids: giveUp(parts, name) }))
  // Without work nothing else would find out that the queue is gone, or back.
  if (given.length === 0) await queue.ping()
  for (const { name, ids } of given) {
    if (ids.length > 0) await queue.cancel(name, ids)
    batches.giveUp(await queue.exhausted(name), 'Workers have used up its attempts.')
    const held = batches.open(name).flatMap(({ id, holder }) => (holder ? [id] : []))
    // A worker ends a job after its report was accepted, so that nothing more comes for these.
    if (held.length > 0) batches.giveUp(await queue.ended(name, held), 'A worker ended the job without an outcome.')
  }
}

/** Ids of batches of a queue that no worker holds or will fetch, or that are held for too long. */
function giveUp({ queue, batches, registry, now, stall }: SweepParts, name: string): string[] {
  const { workspaceId, label } = parseQueueName(name)
  const waiting = batches.open(name)
  const overdue = waiting.filter(({ isOverdue }) => isOverdue).map(({ id }) => id)
  batches.giveUp(overdue, 'A worker has had it for longer than such work can take.')
  if (overdue.length > 0) stall(name)
  const takers = registry.takers(workspaceId, label)
  const late = waiting.filter(({ holder, since }) => !holder && since < now() - patienceMs).map(({ id }) => id)
  if (!queue.isReachable()) batches.giveUp(late, 'The queue does not respond.')
  else if (late.length > 0 && takers.some(({ id, slots }) => batches.heldBy(id).length < slots)) {
    stall(name)
    batches.giveUp(late, 'Workers with free slots did not take it.')
    return [...new Set([...overdue, ...late])]
  }
  if (takers.length > 0) return overdue
  // A worker that is draining still finishes what it holds.
  const left = waiting.filter(({ holder }) => !holder || !registry.isPresent(holder.workerId)).map(({ id }) => id)
  batches.giveUp(left, 'No worker takes it.')
  return [...new Set([...overdue, ...left])]
}
