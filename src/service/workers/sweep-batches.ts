import type { Batches } from './batches.ts'
import type { JobQueue } from './job-queue.ts'
import { parseQueueName } from './queue-name.ts'
import type { Registry } from './registry.ts'

/** Milliseconds for which work waits for a queue that does not respond. */
const patienceMs = 20_000

export interface SweepParts {
  readonly queue: Pick<JobQueue, 'cancel' | 'exhausted' | 'isReachable' | 'ping'>
  readonly batches: Pick<Batches, 'giveUp' | 'open' | 'queues'>
  readonly registry: Pick<Registry, 'isPresent' | 'takers'>
}

/** Gives up the batches that no worker will do. @throws Error when the queue does not respond; nothing waits for it even then */
export async function sweepBatches({ queue, batches, registry }: SweepParts): Promise<void> {
  const given = batches.queues().map(name => ({ name, ids: giveUp({ queue, batches, registry }, name) }))
  // Without work nothing else would find out that the queue is gone, or back.
  if (given.length === 0) await queue.ping()
  for (const { name, ids } of given) {
    if (ids.length > 0) await queue.cancel(name, ids)
    batches.giveUp(await queue.exhausted(name), 'Workers have used up its attempts.')
  }
}

/** Ids of batches of a queue that nobody holds or will come for. */
function giveUp({ queue, batches, registry }: SweepParts, name: string): string[] {
  const { workspaceId, label } = parseQueueName(name)
  const waiting = batches.open(name)
  if (!queue.isReachable()) {
    const late = waiting.filter(({ holder, since }) => !holder && since < performance.now() - patienceMs)
    batches.giveUp(
      late.map(({ id }) => id),
      'The queue does not respond.',
    )
  }
  if (registry.takers(workspaceId, label).length > 0) return []
  // A worker that is draining still finishes what it holds.
  const left = waiting.filter(({ holder }) => !holder || !registry.isPresent(holder.workerId)).map(({ id }) => id)
  batches.giveUp(left, 'No worker takes it.')
  return left
}
