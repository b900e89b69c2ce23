import { ApiError } from '../../contract/errors.ts'
import type { Worker, WorkerLease } from '../../contract/workers/workers.schemas.ts'
import type { Kernel } from '../kernel.ts'
import { timestamp } from '../kernel.ts'
import { callPrefix, type Registry } from './registry.ts'
import { sealKey, type SharedSecret } from './sealed-key.ts'
import { deleteKey, insertKey, keysOf } from './worker-keys.store.ts'

/** What connections know of their keys. */
export interface ConnectionKeys {
  /** Null where the connection is disabled or has no key. @throws ApiError not_found */
  secretOf(workspaceId: string, id: string): Promise<{ readonly origin: string; readonly secret: SharedSecret } | null>
}

/** Keys of connections that owners share with workers. */
export interface WorkerKeys {
  /** @throws ApiError conflict when there is nothing to share or the worker makes no calls of the connection */
  share(workspaceId: string, workerId: string, connectionId: string, personId: string): Promise<Worker>
  withdraw(workspaceId: string, workerId: string, connectionId: string): Worker
  /** Sealed for a worker, as they are now: a changed key is the new one; that of a disabled connection, or of one whose calls it no longer makes, is gone. */
  sealedFor(workspaceId: string, workerId: string): Promise<WorkerLease['keys']>
}

export function createWorkerKeys(
  { db, clock, log }: Pick<Kernel, 'db' | 'clock' | 'log'>,
  registry: Registry,
  connections: ConnectionKeys,
): WorkerKeys {
  return {
    share: async (workspaceId, workerId, connectionId, personId) => {
      const found = await connections.secretOf(workspaceId, connectionId)
      // It may have left meanwhile.
      const { publicKey, labels, status, name } = registry.worker(workspaceId, workerId)
      const refusal = !found
        ? `The connection "${connectionId}" has no key to share.`
        : publicKey === null || !registry.isPresent(workerId)
          ? `The worker "${name}" is ${status}, so no key can be shared with it.`
          : labels.includes(`${callPrefix}${connectionId}`)
            ? null
            : `The worker "${name}" makes no calls of this connection. Start it with --labels ${callPrefix}${connectionId}.`
      if (refusal) throw new ApiError('conflict', refusal)
      insertKey(db, workerId, connectionId, personId, timestamp(clock))
      log.info({ workerId, connectionId, personId }, 'a connection’s key is shared with a worker')
      return registry.publicWorker(workspaceId, workerId)
    },
    withdraw: (workspaceId, workerId, connectionId) => {
      registry.worker(workspaceId, workerId)
      deleteKey(db, workerId, connectionId)
      log.info({ workerId, connectionId }, 'a connection’s key is no longer shared with a worker')
      return registry.publicWorker(workspaceId, workerId)
    },
    sealedFor: async (workspaceId, workerId) => {
      const { publicKey, labels } = registry.worker(workspaceId, workerId)
      if (publicKey === null) return []
      const wanted = keysOf(db, workerId).filter(({ connection_id }) => labels.includes(`${callPrefix}${connection_id}`))
      const sealed = await Promise.all(
        wanted.map(async ({ connection_id }) => {
          const found = await connections.secretOf(workspaceId, connection_id)
          if (!found) return []
          const { origin, secret } = found
          return [{ connection_id, origin, sealed: sealKey(secret, publicKey, { workerId, connectionId: connection_id, origin }) }]
        }),
      )
      return sealed.flat()
    },
  }
}
